import Fields
import Units

/// One event of an AHAP file: something felt or something heard.
struct AHAPEvent: Decodable {
    var event: HapticEvent?
    var sound: PatternSound?
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
            ? try fields.nested([AHAPEventParameter].self, "EventParameters", expected: "a list of parameters") : []
        guard parameters.count <= Self.mostParameters else {
            throw fields.fault("EventParameters", "at most \(Self.mostParameters) parameters", found: "\(parameters.count)")
        }
        ignored = parameters.flatMap(\.ignored)
        switch kind {
        case .transient: event = Self.event(.transient, at: time, parameters)
        case .continuous: event = Self.event(.continuous(duration: duration), at: time, parameters)
        case .audioContinuous: sound = Self.sound(.tone(duration: duration), at: time, parameters)
        case .audioCustom:
            sound = Self.sound(.file(try fields.text("EventWaveformPath", limit: 4_096)), at: time, parameters)
            // The whole file is heard, as loud as it is.
            ignored += ["EventDuration", "EventWaveformUseVolumeEnvelope"].filter(fields.contains).map(fields.path(of:))
        }
        let known = ["EventType", "Time", "EventDuration", "EventParameters", "EventWaveformPath", "EventWaveformUseVolumeEnvelope"]
        ignored += fields.strangers(to: known)
    }

    private static func event(_ kind: HapticEvent.Kind, at time: Seconds, _ parameters: [AHAPEventParameter]) -> HapticEvent {
        var event = HapticEvent(time: time, kind: kind, intensity: 1, sharpness: 0.5)
        for parameter in parameters {
            switch parameter.id {
            case .intensity: event.intensity = parameter.value ?? event.intensity
            case .sharpness: event.sharpness = parameter.value ?? event.sharpness
            case let id?: event.envelope.set(id, parameter.value)
            case nil: break
            }
        }
        return event
    }

    private static func sound(_ source: PatternSound.Source, at time: Seconds, _ parameters: [AHAPEventParameter]) -> PatternSound {
        var sound = PatternSound(time: time, source: source)
        for parameter in parameters {
            switch parameter.id {
            case .volume: sound.volume = parameter.value ?? sound.volume
            case .pitch: sound.pitch = parameter.value ?? sound.pitch
            case .brightness: sound.brightness = parameter.value ?? sound.brightness
            case let id?: sound.envelope.set(id, parameter.value)
            case nil: break
            }
        }
        return sound
    }
}

/// One parameter that an event keeps for as long as it lasts.
struct AHAPEventParameter: Decodable {
    enum ID: String {
        case intensity = "HapticIntensity"
        case sharpness = "HapticSharpness"
        case attack = "AttackTime"
        case decay = "DecayTime"
        case release = "ReleaseTime"
        case sustained = "Sustained"
        case volume = "AudioVolume"
        case pitch = "AudioPitch"
        case brightness = "AudioBrightness"
    }

    /// Nil for one that is not known.
    var id: ID?
    var value: Double?
    var ignored: [String]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let name = try fields.text("ParameterID")
        id = ID(rawValue: name)
        value = try fields.numberIfPresent("ParameterValue", clampedTo: id == .pitch ? -1...1 : 0...1)
        ignored = fields.strangers(to: ["ParameterID", "ParameterValue"]) + (id == nil ? fields.stranger("ParameterID", name) : [])
    }
}

extension HapticEnvelope {
    fileprivate mutating func set(_ id: AHAPEventParameter.ID, _ value: Double?) {
        switch id {
        case .attack: attack = value ?? 0
        case .decay: decay = value ?? 0
        case .release: release = value ?? 0
        case .sustained: isSustained = (value ?? 1) >= 0.5
        case .intensity, .sharpness, .volume, .pitch, .brightness: break
        }
    }
}
