import Signals
import Units

/// One event of an AHAP file.
struct AHAPEvent: Decodable {
    /// Nil for one that makes sound.
    var event: HapticEvent?
    var ignored: [String] = []

    private enum Kind: String, CaseIterable {
        case transient = "HapticTransient"
        case continuous = "HapticContinuous"
        case audioContinuous = "AudioContinuous"
        case audioCustom = "AudioCustom"
    }

    /// The longest that Core Haptics plays.
    private static let durations = 0.0...30
    private static let mostParameters = 64

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let kind: Kind = try fields.choice("EventType")
        let time = try fields.time("Time")
        let duration = Seconds(try fields.numberIfPresent("EventDuration", clampedTo: Self.durations) ?? 0)
        let parameters = fields.contains("EventParameters")
            ? try fields.nested([Parameter].self, "EventParameters", expected: "a list of parameters") : []
        guard parameters.count <= Self.mostParameters else {
            throw fields.fault("EventParameters", "at most \(Self.mostParameters) parameters", found: "\(parameters.count)")
        }
        ignored = parameters.flatMap(\.ignored)
        switch kind {
        case .transient: event = Self.event(.transient, at: time, parameters)
        case .continuous: event = Self.event(.continuous(duration: duration), at: time, parameters)
        case .audioContinuous, .audioCustom: ignored = [fields.path(of: "EventType")]
        }
        let known = ["EventType", "Time", "EventDuration", "EventParameters", "EventWaveformPath", "EventWaveformUseVolumeEnvelope"]
        ignored += fields.strangers(to: known)
    }

    private static func event(_ kind: HapticEvent.Kind, at time: Seconds, _ parameters: [Parameter]) -> HapticEvent {
        var event = HapticEvent(time: time, kind: kind, intensity: 1, sharpness: 0.5)
        for parameter in parameters {
            switch parameter.id {
            case .intensity: event.intensity = parameter.value ?? event.intensity
            case .sharpness: event.sharpness = parameter.value ?? event.sharpness
            case .attack: event.envelope.attack = parameter.value ?? 0
            case .decay: event.envelope.decay = parameter.value ?? 0
            case .release: event.envelope.release = parameter.value ?? 0
            case .sustained: event.envelope.isSustained = (parameter.value ?? 1) >= 0.5
            case nil: break
            }
        }
        return event
    }

    private struct Parameter: Decodable {
        enum ID: String {
            case intensity = "HapticIntensity"
            case sharpness = "HapticSharpness"
            case attack = "AttackTime"
            case decay = "DecayTime"
            case release = "ReleaseTime"
            case sustained = "Sustained"
        }

        /// Nil for one that is not known.
        var id: ID?
        var value: Double?
        var ignored: [String]

        init(from decoder: any Decoder) throws {
            let fields = try Fields(decoder)
            id = ID(rawValue: try fields.text("ParameterID"))
            value = try fields.numberIfPresent("ParameterValue", clampedTo: 0...1)
            ignored = fields.strangers(to: ["ParameterID", "ParameterValue"]) + (id == nil ? [fields.path(of: "ParameterID")] : [])
        }
    }
}
