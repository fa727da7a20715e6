import Signals
import Units

/// The course of one event of a pattern: its strength and sharpness over time, with all controls applied.
public struct HapticShape: Sendable {
    /// The time from the start of the pattern to the start of the event; `length` is the event's duration.
    public let start: Seconds
    public let length: Seconds
    private let event: HapticEvent
    private let envelope: Envelope
    private var intensities: ControlTrack.Cursor
    private var sharpnesses: ControlTrack.Cursor

    /// The shortest and the longest attack, decay or release, in seconds. Core Haptics says that these times grow exponentially with the
    /// numbers in a pattern, but gives no limits. The limits here are Thrum's own.
    private static let shortest = 0.005
    private static let longest = 1.0

    /// Returns the shapes of all events of `pattern`, in the order of the events.
    public static func shapes(of pattern: HapticPattern) -> [HapticShape] {
        let tracks = Dictionary(uniqueKeysWithValues: HapticControl.Parameter.allCases.map { ($0, ControlTrack(pattern, $0)) })
        return pattern.events.map { HapticShape($0, tracks) }
    }

    private init(_ event: HapticEvent, _ tracks: [HapticControl.Parameter: ControlTrack]) {
        func cursor(_ parameter: HapticControl.Parameter) -> ControlTrack.Cursor {
            guard let track = tracks[parameter] else { preconditionFailure("every parameter has a track") }
            return track.cursor(at: event.time.rawValue)
        }
        // Uses the value that the control has when that part of the envelope begins.
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

    /// The ages at which the course of intensity or sharpness bends, in ascending order from 0 to `length`. Between them both change
    /// (nearly) linearly.
    public var corners: [Seconds] {
        let controls = (intensities.changes + sharpnesses.changes).map { $0 - start.rawValue }
        let ages = Set([0, length.rawValue] + envelope.corners + controls)
        return ages.filter { (0...length.rawValue).contains($0) }.sorted().map { Seconds($0) }
    }

    /// Returns the intensity, 0…1, at `age` after the event's start. `age` must not be less than in the call before.
    public mutating func intensity(at age: Seconds) -> Double {
        let control = intensities.value(at: start.rawValue + age.rawValue)
        return max(0, min(1, event.intensity * control)) * envelope.gain(at: age.rawValue)
    }

    /// Returns the sharpness, 0…1, at `age` after the event's start. `age` must not be less than in the call before.
    public mutating func sharpness(at age: Seconds) -> Double {
        max(0, min(1, event.sharpness + sharpnesses.value(at: start.rawValue + age.rawValue)))
    }

    private enum Envelope {
        /// A tap: a burst that falls by 60 dB, and then ends.
        case burst(timeConstant: Double)
        case held(attack: Double, duration: Double, release: Double)
        case falling(attack: Double, decay: Double)

        /// The number of time constants in which a burst falls by 60 dB: ln(1000).
        private static let fall = 6.907755278982137
        /// The number of octaves in a factor of e: log2(e).
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

/// The controls of one parameter of a pattern, as straight pieces between the times at which they change.
struct ControlTrack {
    private struct Piece {
        var start: Double
        var value: Double
        /// The change of the value in a second.
        var slope: Double
    }

    private var pieces: [Piece]

    init(_ pattern: HapticPattern, _ parameter: HapticControl.Parameter) {
        let changes = pattern.controls.filter { $0.parameter == parameter }.flatMap { control in
            switch control.shape {
            case .jump: [control.time.rawValue]
            case .curve(let points): points.map { control.time.rawValue + $0.time.rawValue }
            }
        }
        let starts = Set(changes + [0]).sorted()
        pieces = starts.indices.map { index in
            let start = starts[index]
            let value = pattern.control(parameter, at: Seconds(start))
            guard index + 1 < starts.count else { return Piece(start: start, value: value, slope: 0) }
            // At this piece's end the next piece applies already, so the slope is measured half-way.
            let half = (starts[index + 1] - start) / 2
            guard half > 1e-9 else { return Piece(start: start, value: value, slope: 0) }
            return Piece(start: start, value: value, slope: (pattern.control(parameter, at: Seconds(start + half)) - value) / half)
        }
    }

    /// Returns a cursor at `time`, which is in seconds from the pattern's start.
    func cursor(at time: Double) -> Cursor {
        Cursor(track: self, index: max(0, (pieces.firstIndex { $0.start > time } ?? pieces.count) - 1))
    }

    /// Reads the values of a track, going forward in time.
    struct Cursor {
        fileprivate let track: ControlTrack
        fileprivate var index: Int

        /// The times at which the straight pieces begin, in seconds from the pattern's start.
        var changes: [Double] { track.pieces.map(\.start) }

        /// Returns the value at `time`. `time` must not be earlier than in the call before.
        mutating func value(at time: Double) -> Double {
            while index + 1 < track.pieces.count, track.pieces[index + 1].start <= time { index += 1 }
            let piece = track.pieces[index]
            return piece.value + (time - piece.start) * piece.slope
        }
    }
}
