import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// Reads the entries of a journal on another thread, ahead of the thread that asks for them.
final class JournalFeed {
    private enum Item: Sendable {
        case entries([Line])
        case failure(any Error)
        case ending(JournalReader.Ending, JournalIntegrity)
    }

    private struct Line: Sendable {
        var entry: JournalEntry
        /// The number of the line, from 1.
        var number: Int
        /// Whether the checksums show that this line, or one above it, was changed.
        var isChanged: Bool
    }

    private static let batch = 256

    private let channel: BoundedChannel<Item>
    private var batch: ArraySlice<Line> = []
    /// The number of the line that `next` returned last, from 1.
    private(set) var line = 0
    /// Whether the checksums show that the line read last, or one above it, was changed.
    private(set) var isChanged = false
    /// How the journal ended: with its end line, or cut off; nil until `next` has returned nil.
    private(set) var ending: JournalReader.Ending?
    /// What the checksums of all lines say about changes. It is final once `ending` is known.
    private(set) var integrity = JournalIntegrity.unknown

    init(_ path: FilePath) {
        channel = .start(capacity: 8) { channel in
            do {
                var scan = try JournalScan(path)
                while true {
                    var entries: [Line] = []
                    var fault: (any Error)?
                    do {
                        while entries.count < Self.batch, let entry = try scan.next() {
                            entries.append(Line(entry: entry, number: scan.line, isChanged: scan.integrity.line != nil))
                        }
                    } catch {
                        fault = error
                    }
                    let isLast = entries.count < Self.batch
                    guard channel.put(.entries(entries)) else { return }
                    if let fault { throw fault }
                    if isLast { break }
                }
                channel.put(.ending(scan.ending, scan.integrity))
            } catch {
                channel.put(.failure(error))
            }
        }
    }

    deinit { channel.abandon() }

    /// Returns the next entry that may change the rendering; nil at the end. Skips entries that only say what was heard. Where an entry
    /// cannot be read, throws its `JournalFault` or `Errno` when its turn has come.
    func next() throws -> JournalEntry? {
        while let entry = try nextOfAny() {
            if entry.changesRendering { return entry }
        }
        return nil
    }

    private func nextOfAny() throws -> JournalEntry? {
        while batch.isEmpty {
            guard ending == nil else { return nil }
            switch channel.take() {
            case .entries(let entries): batch = entries[...]
            case .failure(let error):
                ending = .cut(line: max(1, line))
                throw error
            case .ending(let ending, let integrity):
                self.ending = ending
                self.integrity = integrity
            case nil: return nil
            }
        }
        let read = batch.removeFirst()
        (line, isChanged) = (read.number, read.isChanged)
        return read.entry
    }
}

extension JournalEntry {
    /// Whether the entry may change the rendering. All other entries only say what was heard.
    var changesRendering: Bool {
        switch self {
        case .discontinuity(.late, _), .discontinuity(.gap, _), .checkpoint: false
        case .header, .event, .discontinuity(.lost, _), .end: true
        }
    }

    /// The frame of the session at which an event took effect, or entries were lost; nil for entries that are neither.
    var actingFrame: Frame? {
        switch self {
        case .event(_, let frame, _, _), .discontinuity(.lost, let frame): frame
        case .header, .discontinuity, .checkpoint, .end: nil
        }
    }
}

/// Computes a session's cues in the order of its events, ahead on another thread, so that reading and rules do not delay the rendering.
/// Thread: the one that renders.
final class CueFeed {
    /// The cues of one event, and the frame of the session at which they took effect.
    struct Step: Sendable {
        var frame: Frame
        var cues: [Cue]
    }

    /// The facts about a journal that are known when all of it has been read.
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
        /// The error of an event that could not be read or that the rules cannot act on, with the event's frame. The frame is nil where the
        /// error comes after the last event.
        case failure(any Error, at: Frame?)
        case ending(Ending)
    }

    private static let batch = 256

    let header: JournalHeader
    /// The cues with which the session begins.
    let opening: [Cue]
    private let channel: BoundedChannel<Item>
    private var batch: ArraySlice<Step> = []
    private var ending: Ending?
    private var failure: (error: any Error, frame: Frame?)?

    /// Opens a journal and reads its header. `pieces` have the rules of this build; where the rules that `rules` asks for are not among
    /// them, throws `JournalFault`. Also throws `Errno` and `JournalFault` where the journal cannot be read.
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
        let cues = try replay.step() ?? []
        return Step(frame: frame, cues: replay.isOver ? last(cues) : cues)
    }

    /// Returns `cues`, which belong to the last event of a session without an end, with a stop after them, so that sounds fade out.
    static func last(_ cues: [Cue]) -> [Cue] { cues + [.stop] }

    /// Returns the next step if `isDue` is true of its frame in the session. Returns nil if it is not due, or if no step is left. Where an
    /// event could not be read or acted on, throws `JournalFault` or `Errno` once that event is due, and again at each later call.
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

    /// Reads the rest of the journal to find faults in it, and returns what is known at its end. Throws as `next` does.
    func finish() throws -> Ending {
        while try next(if: { _ in true }) != nil {}
        guard let ending else { preconditionFailure("nothing is left, so there was an ending") }
        return ending
    }
}
