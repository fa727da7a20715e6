import Experience
import Journal
import Signals
import SystemPackage
import Units

/// A session's cues in the order of its events, worked out ahead on another thread: reading and rules do not keep the rendering waiting.
///
/// Thread: one, whoever renders.
final class CueFeed {
    /// What one event has come to, and the frame of the session at which that took effect.
    struct Step: Sendable {
        var frame: Frame
        var cues: [Cue]
    }

    /// What is known of the journal when all of it has been read.
    struct Ending: Sendable {
        /// The line at which the session was cut off; nil if it ended as it should.
        var cutLine: Int?
        var hasEvents: Bool
        var integrity: JournalIntegrity
        var lostEntries: Int
        var firstLost: Frame?
    }

    private enum Item: Sendable {
        case opened(JournalHeader, opening: [Cue])
        case steps([Step])
        /// What could not be read or acted on, and the frame of the event; nil where it is behind the last one.
        case failure(any Error, at: Frame?)
        case ending(Ending)
    }

    private static let batch = 256

    let header: JournalHeader
    /// The cues that the session begins with.
    let opening: [Cue]
    private let channel: BoundedChannel<Item>
    private var batch: ArraySlice<Step> = []
    private var ending: Ending?
    private var failure: (error: any Error, frame: Frame?)?

    /// Reads the header. Throws `JournalFault`, also where the rules that are wanted are not in this build, and `Errno`.
    init(_ path: FilePath, by rules: ReplayRules, _ pieces: [any Experience.Type]) throws {
        channel = .start(capacity: 8) { channel in
            do {
                var replay = try Replay(path, by: rules, pieces)
                guard channel.put(.opened(replay.header, opening: replay.opening)) else { return }
                while replay.nextFrame != nil {
                    var steps: [Step] = []
                    while steps.count < Self.batch, let frame = replay.nextFrame {
                        do {
                            steps.append(try Self.step(&replay, at: frame))
                        } catch {
                            channel.put(.steps(steps))
                            channel.put(.failure(error, at: frame))
                            return
                        }
                    }
                    guard channel.put(.steps(steps)) else { return }
                }
                try replay.finish()
                channel.put(.ending(Ending(cutLine: replay.cutLine, hasEvents: replay.hasEvents, integrity: replay.integrity,
                                           lostEntries: replay.lostEntries, firstLost: replay.firstLost)))
            } catch {
                channel.put(.failure(error, at: nil))
            }
        }
        switch channel.take() {
        case .opened(let header, let opening)?: (self.header, self.opening) = (header, opening)
        case .failure(let error, _)?:
            channel.abandon()
            throw error
        case .steps?, .ending?, nil: preconditionFailure("a feed begins with the header")
        }
    }

    deinit { channel.abandon() }

    private static func step(_ replay: inout Replay, at frame: Frame) throws -> Step {
        var cues = try replay.step() ?? []
        // Nothing after it, not even an end: whatever sounds is let down softly.
        if replay.isOver { cues.append(.stop) }
        return Step(frame: frame, cues: cues)
    }

    /// The next step, if it is due at its frame of the session; nil otherwise, and when there is none. Throws `JournalFault` and `Errno`,
    /// each time, when the event is due that could not be read or acted on.
    func next(if isDue: (Frame) -> Bool) throws -> Step? {
        while batch.isEmpty {
            if let failure {
                guard failure.frame.map(isDue) ?? true else { return nil }
                throw failure.error
            }
            guard ending == nil else { return nil }
            switch channel.take() {
            case .steps(let steps): batch = steps[...]
            case .ending(let ending): self.ending = ending
            case .failure(let error, let frame): failure = (error, frame)
            case .opened, nil: preconditionFailure("steps follow the header, and an ending or a failure follows them")
            }
        }
        return isDue(batch[batch.startIndex].frame) ? batch.removeFirst() : nil
    }

    /// Goes through what is left, for the sake of its faults.
    func finish() throws -> Ending {
        while try next(if: { _ in true }) != nil {}
        guard let ending else { preconditionFailure("nothing is left, so there was an ending") }
        return ending
    }
}
