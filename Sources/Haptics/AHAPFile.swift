import Signals
import Units

/// The top level of an AHAP file.
struct AHAPFile: Decodable {
    var entries: [AHAPEntry]
    var ignored: [String]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        _ = try fields.numberIfPresent("Version", clampedTo: 0...1_000)
        entries = try fields.nested([AHAPEntry].self, "Pattern", expected: "a list of events, parameters and curves")
        guard entries.count <= AHAP.longest else {
            throw fields.fault("Pattern", "at most \(AHAP.longest) entries", found: "\(entries.count)")
        }
        ignored = fields.strangers(to: ["Version", "Metadata", "Pattern"])
    }
}

/// One entry of a pattern: an event, a parameter that jumps, or a curve.
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

/// What was read, if it means something to us, and what was passed over.
struct AHAPControl {
    var control: HapticControl?
    var ignored: [String]

    /// Apple's names of the parameters that change while a pattern plays.
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
            read.ignored.append(fields.path(of: "ParameterID") + " \(name)")
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
        guard (1...AHAP.longest).contains(points.count) else {
            throw fields.fault("ParameterCurveControlPoints", "1 to \(AHAP.longest) points", found: "\(points.count)")
        }
        read = AHAPControl(ignored: fields.strangers(to: ["ParameterID", "Time", "ParameterCurveControlPoints"])
            + points.flatMap(\.ignored))
        guard let parameter = AHAPControl.parameter(name) else {
            read.ignored.append(fields.path(of: "ParameterID") + " \(name)")
            return
        }
        let curve = points.sorted { $0.time < $1.time }.map { point in
            HapticControl.Point(time: point.time, value: max(parameter.range.lowerBound, point.value ?? parameter.neutral))
        }
        read.control = HapticControl(parameter, time: time, shape: .curve(curve))
    }
}

extension Fields {
    /// 0 to 60 s, 0 if it is left out.
    func time(_ name: String) throws -> Seconds { Seconds(try numberIfPresent(name, clampedTo: 0...60) ?? 0) }
}
