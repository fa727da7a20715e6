import Signals
import Units

/// How strong and how sharp one event of a pattern is while it lasts, all controls taken into account.
public struct HapticShape: Sendable {
    /// Of the event, from the pattern's start.
    public let start: Seconds
    public let length: Seconds
    private let event: HapticEvent
    private let envelope: Envelope
    private var intensities: ControlTrack.Cursor
    private var sharpnesses: ControlTrack.Cursor

    /// Of an envelope's part at its shortest and its longest, in seconds. Core Haptics says that times grow exponentially
    /// with their adjusters, and not from what to what; these are ours.
    private static let shortest = 0.005
    private static let longest = 1.0

    /// All events of `pattern`, in its order.
    public static func shapes(of pattern: HapticPattern) -> [HapticShape] {
        let tracks = Dictionary(uniqueKeysWithValues: HapticControl.Parameter.allCases.map { ($0, ControlTrack(pattern, $0)) })
        return pattern.events.map { HapticShape($0, tracks) }
    }

    private init(_ event: HapticEvent, _ tracks: [HapticControl.Parameter: ControlTrack]) {
        func cursor(_ parameter: HapticControl.Parameter) -> ControlTrack.Cursor {
            guard let track = tracks[parameter] else { preconditionFailure("every parameter has a track") }
            return track.cursor(at: event.time.rawValue)
        }
        // As the control is when that part of the envelope begins.
        func seconds(_ adjuster: Double, _ parameter: HapticControl.Parameter, after: Double) -> Double {
            var control = cursor(parameter)
            let value = max(0, min(1, adjuster + control.value(at: event.time.rawValue + after)))
            return Self.shortest * exp2(value * log2(Self.longest / Self.shortest))
        }
        self.event = event
        start = event.time
        intensities = cursor(.intensity)
        sharpnesses = cursor(.sharpness)
        switch event.kind {
        case .transient:
            var sharpness = cursor(.sharpness)
            let value = event.sharpness + sharpness.value(at: event.time.rawValue)
            envelope = .burst(timeConstant: 1.5 / TransducerWaveform.frequency(value).rawValue)
        case .continuous(let duration):
            let attack = seconds(event.envelope.attack, .attack, after: 0)
            let duration = duration.rawValue
            envelope = event.envelope.isSustained
                ? .held(attack: attack, duration: duration, release: seconds(event.envelope.release, .release, after: duration))
                : .falling(attack: attack, decay: seconds(event.envelope.decay, .decay, after: attack))
        }
        length = Seconds(envelope.length)
    }

    /// Ages between which intensity and sharpness go in lines that are straight, or nearly: from 0 to `length`, in order.
    public var corners: [Seconds] {
        let controls = (intensities.changes + sharpnesses.changes).map { $0 - start.rawValue }
        let ages = Set([0, length.rawValue] + envelope.corners + controls)
        return ages.filter { (0...length.rawValue).contains($0) }.sorted().map { Seconds($0) }
    }

    /// 0…1, `age` after the event's start, and no earlier than last time.
    public mutating func intensity(at age: Seconds) -> Double {
        let control = intensities.value(at: start.rawValue + age.rawValue)
        return max(0, min(1, event.intensity * control)) * envelope.gain(at: age.rawValue)
    }

    /// 0…1, `age` after the event's start, and no earlier than last time.
    public mutating func sharpness(at age: Seconds) -> Double {
        max(0, min(1, event.sharpness + sharpnesses.value(at: start.rawValue + age.rawValue)))
    }

    private enum Envelope {
        /// Falls by 60 dB, and to nothing.
        case burst(timeConstant: Double)
        case held(attack: Double, duration: Double, release: Double)
        case falling(attack: Double, decay: Double)

        /// ln(1000): 60 dB in time constants.
        private static let fall = 6.907755278982137
        /// log2(e).
        private static let octaves = 1.4426950408889634

        var length: Double {
            switch self {
            case .burst(let timeConstant): Self.fall * timeConstant
            case .held(_, let duration, let release): duration + release
            case .falling(let attack, let decay): attack + decay
            }
        }

        var corners: [Double] {
            switch self {
            case .burst: []
            case .held(let attack, let duration, _): [attack, duration]
            case .falling(let attack, _): [attack]
            }
        }

        func gain(at age: Double) -> Double {
            switch self {
            case .burst(let timeConstant): return max(0, 1 - age / length) * exp2(-Self.octaves * age / timeConstant)
            case .held(let attack, let duration, let release):
                let reached = min(1, min(age, duration) / attack)
                return age < duration ? reached : reached * max(0, 1 - (age - duration) / release)
            case .falling(let attack, let decay):
                return age < attack ? age / attack : max(0, 1 - (age - attack) / decay)
            }
        }
    }
}
