import Fields
import Units

/// A file in AHAP, Apple's format for haptic patterns, as it was read.
public struct AHAPFile: Decodable {
    private var entries: [AHAPEntry]
    private var strangers: [String]

    /// The largest number of entries in a pattern, and of points in all its curves together.
    private static let longest = HapticPattern.mostPoints
    /// The largest sum of the durations of all events, in seconds. It keeps the wait for a pattern's end bounded.
    private static let longestTime = 600.0
    /// The largest number of sound files in a pattern.
    private static let mostFiles = 64

    /// The paths of keys and parameters that were ignored because they are unknown. Empty unless the decoder has `strangersWanted`.
    public var ignored: [String] { strangers + entries.flatMap(\.ignored) }

    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        _ = try fields.numberIfPresent("Version", clampedTo: 0...1_000)
        entries = try fields.nested([AHAPEntry].self, "Pattern", expected: "a list of events, parameters and curves")
        guard entries.count <= Self.longest else {
            throw fields.fault("Pattern", "at most \(Self.longest) entries", found: "\(entries.count)")
        }
        strangers = fields.strangers(to: ["Version", "Metadata", "Pattern"])
    }

    /// Returns the file's pattern. `soundFile` gets a sound file's path as written in the AHAP file, and returns where the sound file is;
    /// nil if it is missing. Throws `Fault` for a pattern that takes too long to compute.
    public func pattern(_ soundFile: (String) -> String? = { $0 }) throws -> HapticPattern {
        let pattern = HapticPattern(events: entries.flatMap(\.events).sorted { $0.time < $1.time }, controls: entries.flatMap(\.controls),
                                    sounds: try entries.enumerated().flatMap { try Self.sounds($1, number: $0, soundFile) })
        try Self.check(pattern)
        return pattern
    }

    private static func sounds(_ entry: AHAPEntry, number: Int, _ soundFile: (String) -> String?) throws -> [PatternSound] {
        try entry.sounds.map { sound in
            guard case .file(let path) = sound.source else { return sound }
            guard let found = soundFile(path) else {
                throw Fault(field: "Pattern[\(number)].Event.EventWaveformPath", expected: "a sound file that can be read",
                            found: "\"\(path)\"")
            }
            var sound = sound
            sound.source = .file(found)
            return sound
        }
    }

    private static func check(_ pattern: HapticPattern) throws(Fault) {
        let files = pattern.sounds.filter { if case .file = $0.source { true } else { false } }.count
        guard files <= mostFiles else {
            throw Fault(field: "Pattern", expected: "at most \(mostFiles) AudioCustom events", found: "\(files)")
        }
        let points = pattern.controls.reduce(0) { sum, control in
            if case .curve(let points) = control.shape { sum + points.count } else { sum }
        }
        guard points <= longest else {
            throw Fault(field: "Pattern", expected: "at most \(longest) points in all curves", found: "\(points)")
        }
        let time = pattern.events.reduce(0) { sum, event in
            if case .continuous(let duration) = event.kind { sum + duration.rawValue } else { sum }
        }
        let heard = pattern.sounds.reduce(0) { sum, sound in
            if case .tone(let duration) = sound.source { sum + duration.rawValue } else { sum }
        }
        guard time + heard <= longestTime else {
            throw Fault(field: "Pattern", expected: "at most \(Int(longestTime)) s of continuous events",
                        found: "\(Int(time + heard)) s")
        }
    }
}

/// One entry of a pattern: an event, a parameter that jumps to a value, or a parameter's curve.
struct AHAPEntry: Decodable {
    var events: [HapticEvent] = []
    var sounds: [PatternSound] = []
    var controls: [HapticControl] = []
    var ignored: [String] = []

    private static let kinds = ["Event", "Parameter", "ParameterCurve"]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        ignored = fields.strangers(to: Self.kinds)
        if fields.contains("Event") {
            let event = try fields.nested(AHAPEvent.self, "Event", expected: "an object")
            events = event.event.map { [$0] } ?? []
            sounds = event.sound.map { [$0] } ?? []
            ignored += event.ignored
        }
        for kind in ["Parameter", "ParameterCurve"] where fields.contains(kind) {
            let control = kind == "Parameter" ? try fields.nested(AHAPParameter.self, kind, expected: "an object").read
                : try fields.nested(AHAPCurve.self, kind, expected: "an object").read
            controls += control.control.map { [$0] } ?? []
            ignored += control.ignored
        }
    }
}

/// A parameter or curve that was read. `control` is nil where the parameter has no meaning here; `ignored` has the paths of what was
/// ignored.
struct AHAPControl {
    var control: HapticControl?
    var ignored: [String]

    /// Returns the parameter that changes while a pattern plays, by Apple's name for it; nil for a name of no such parameter.
    static func parameter(_ name: String) -> HapticControl.Parameter? {
        switch name {
        case "HapticIntensityControl": .intensity
        case "HapticSharpnessControl": .sharpness
        case "HapticAttackTimeControl": .attack
        case "HapticDecayTimeControl": .decay
        case "HapticReleaseTimeControl": .release
        case "AudioVolumeControl": .volume
        case "AudioPitchControl": .pitch
        default: nil
        }
    }
}

private struct AHAPParameter: Decodable {
    var read: AHAPControl

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let name = try fields.text("ParameterID")
        let time = try fields.time("Time")
        read = AHAPControl(ignored: fields.strangers(to: ["ParameterID", "ParameterValue", "Time"]))
        guard let parameter = AHAPControl.parameter(name) else {
            read.ignored += fields.stranger("ParameterID", name)
            return
        }
        let value = try fields.numberIfPresent("ParameterValue", clampedTo: parameter.range) ?? parameter.neutral
        read.control = HapticControl(parameter, time: time, shape: .jump(value))
    }
}

private struct AHAPCurve: Decodable {
    var read: AHAPControl

    private struct Point: Decodable {
        var time: Seconds
        var value: Double?
        var ignored: [String]

        init(from decoder: any Decoder) throws {
            let fields = try Fields(decoder)
            time = try fields.time("Time")
            value = try fields.numberIfPresent("ParameterValue", clampedTo: -1...1)
            ignored = fields.strangers(to: ["Time", "ParameterValue"])
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let name = try fields.text("ParameterID")
        let time = try fields.time("Time")
        let points = try fields.nested([Point].self, "ParameterCurveControlPoints", expected: "a list of points")
        guard (1...HapticPattern.mostPoints).contains(points.count) else {
            throw fields.fault("ParameterCurveControlPoints", "1 to \(HapticPattern.mostPoints) points", found: "\(points.count)")
        }
        read = AHAPControl(ignored: fields.strangers(to: ["ParameterID", "Time", "ParameterCurveControlPoints"])
            + points.flatMap(\.ignored))
        guard let parameter = AHAPControl.parameter(name) else {
            read.ignored += fields.stranger("ParameterID", name)
            return
        }
        let curve = points.sorted { $0.time < $1.time }.map { point in
            HapticControl.Point(time: point.time, value: max(parameter.range.lowerBound, point.value ?? parameter.neutral))
        }
        read.control = HapticControl(parameter, time: time, shape: .curve(curve))
    }
}

extension Fields {
    /// Reads a time, clamped to 0…60 s; 0 if the field is missing. Throws `Fault` for a value that is no number.
    func time(_ name: String) throws -> Seconds { Seconds(try numberIfPresent(name, clampedTo: 0...60) ?? 0) }
}

/// One event of an AHAP file: something to feel or something to hear.
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

    /// The range of durations that Core Haptics plays, in seconds.
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
            // The whole sound file is played at its own loudness, so these two fields have no effect.
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

/// A parameter that applies to one event for as long as the event lasts.
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

    /// The parameter's id; nil for a parameter that this program does not know.
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
