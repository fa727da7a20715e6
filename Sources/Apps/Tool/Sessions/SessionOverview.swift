import Escaping
import Experience
import Journal
import JournalFile
import Offline
import Signals
import SystemPackage
import Units

/// A summary of a journal.
struct SessionOverview: Encodable {
    struct Mark: Encodable {
        /// Since the session's start.
        var seconds: Double
        var text: String
    }

    /// The most marks that are kept: a journal may have very many long ones.
    private static let mostMarks = 1_000

    struct Discontinuities: Encodable {
        /// Changes that were heard late.
        var late = 0
        /// Frames heard without them, at most.
        var lateFrames: Int64 = 0
        var gaps = 0
        /// Frames of them that were not heard, as far as it is known.
        var gapFrames: Int64 = 0
        /// Entries that the disk could not take.
        var lost = 0
    }

    var journal: String
    var experience: String
    /// The version of its rules; nil in a journal of version 1, which does not say.
    var rules: Int?
    /// The name of the theme that it began with, and of those that came after it.
    var theme: String
    var laterThemes: [String] = []
    var seed: UInt64
    var sampleRate: Int
    var started: String
    var seconds = 0.0
    /// From the first to the last sign of somebody; nil if there was none.
    var visitorSeconds: Double?
    /// Why the session ended; nil if it was cut off, or is still running.
    var end: String?
    /// By kind, those of clients and of our touchscreens; not what the engine did by itself.
    var events: [String: Int] = [:]
    /// That have reported something.
    var clients = 0
    var touchscreens = 0
    /// Played, by name; nil in a journal of version 1, whose lines have no cues.
    var chimes: [String: Int]?
    /// What the session came to, by the piece's rules; nil where this Thrum has others, or the piece has no record.
    var record: Announcement?
    var marks: [Mark] = []
    /// Those after the first 1,000.
    var moreMarks = 0
    var discontinuities = Discontinuities()
    /// The first line whose sum is wrong or missing; nil if none is known to be.
    var changedLine: Int?
    /// What is not as it was recorded, in a few words each.
    var damage: [String] = []
    /// The warning of it.
    var warning: String?

    /// Of the journal at `path`, which people know by `name`. Throws `JournalFault` and `Errno`.
    init(_ path: FilePath, named name: String, _ pieces: [any Experience.Type]) throws {
        var scan = try JournalScan(path)
        let header = try scan.header()
        let rate = header.sampleRate
        journal = name
        experience = header.experience
        rules = header.rules?.version
        theme = header.theme.name
        chimes = header.rules.map { _ in [:] }
        seed = header.seed
        sampleRate = Int(rate.hertz)
        started = header.started
        var reporters: Set<Client> = []
        /// Of the gap whose length has not been read yet.
        var openGap: Frame?
        var length = FrameCount.zero
        var visit: (first: Frame, last: Frame)?
        while let entry = try scan.next() {
            switch entry {
            case .event(let event, let frame, _, let cues):
                length = FrameCount(frame.rawValue) + rate.frames(in: .stopTime)
                for case .chime(let name) in cues ?? [] { chimes?[name, default: 0] += 1 }
                if case .theme(let theme) = event.kind, laterThemes.count < Self.mostMarks { laterThemes.append(theme.name) }
                guard event.client != .engine else { continue }
                visit = (visit?.first ?? frame, frame)
                reporters.insert(event.client)
                events[event.kind.name, default: 0] += 1
                guard case .mark(let text) = event.kind else { continue }
                if marks.count == Self.mostMarks {
                    moreMarks += 1
                } else {
                    marks.append(Mark(seconds: rate.seconds(in: FrameCount(frame.rawValue)).rawValue, text: text))
                }
            case .discontinuity(.late(let frames), _):
                discontinuities.late += 1
                discontinuities.lateFrames += frames.rawValue
            // The line that tells that one is over, or of a journal that was cut off, that it began.
            case .discontinuity(.gap(let frames), let frame):
                if frame != openGap { discontinuities.gaps += 1 }
                openGap = frames == nil ? frame : nil
                discontinuities.gapFrames += frames?.rawValue ?? 0
            case .discontinuity(.lost(let entries), let frame):
                discontinuities.lost += entries
                length = FrameCount(frame.rawValue) + rate.frames(in: .stopTime)
            case .end(let reason, let frame):
                length = FrameCount(frame.rawValue)
                end = reason.rawValue
            case .header, .checkpoint: break
            }
        }
        changedLine = scan.integrity.line
        damage = [scan.integrity.damage, discontinuities.lost > 0 ? "\(discontinuities.lost) entries are missing" : nil].compactMap { $0 }
        warning = scan.integrity.warning(name)
        visitorSeconds = visit.map { rate.seconds(in: $0.last - $0.first).rawValue }
        record = Self.record(path, pieces)
        seconds = rate.seconds(in: length).rawValue
        clients = reporters.count { $0 > .engine }
        touchscreens = reporters.count { $0 < .engine }
    }

    /// Nil where the rules cannot be played.
    private static func record(_ path: FilePath, _ pieces: [any Experience.Type]) -> Announcement? {
        guard var replay = try? Replay(path, by: .same, pieces), (try? replay.finish()) != nil else { return nil }
        return replay.record
    }

    /// For people.
    var lines: [String] {
        let kinds = events.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        var lines = [
            journal,
            "  experience  \(experience), \(rules.map { "rules \($0), " } ?? "")seed \(seed)",
            "  theme       " + ([theme] + laterThemes).map(\.printable).joined(separator: ", then "),
            "  started     \(started)",
            "  length      \(Seconds(seconds).clock(3)) at \(sampleRate) Hz"
                + (visitorSeconds.map { ", somebody there for \(Seconds($0).clock(3))" } ?? ""),
            "  ended       \(ending)",
            "  events      \(events.values.reduce(0, +))" + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")),
            "  from        clients: \(clients), touchscreens: \(touchscreens)",
        ]
        if let chimes, !chimes.isEmpty {
            let played = chimes.sorted { $0.key < $1.key }.map { "\($0.key.printable) × \($0.value)" }
            lines.append("  chimes      " + played.joined(separator: ", "))
        }
        for mark in marks { lines.append("  mark        \(Seconds(mark.seconds).clock(3))  \(mark.text.printable)") }
        if moreMarks > 0 { lines.append("  marks       \(moreMarks) more") }
        if discontinuities.late > 0 {
            lines.append("  late        \(discontinuities.late) changes (\(discontinuities.lateFrames) frames at most)")
        }
        if discontinuities.gaps > 0 { lines.append("  gaps        \(discontinuities.gaps) (\(discontinuities.gapFrames) frames unheard)") }
        if !damage.isEmpty { lines.append("  damaged     " + damage.joined(separator: "; ")) }
        if discontinuities.lost > 0 { lines.append("  missing     \(discontinuities.lost) entries, which the disk could not take") }
        // A longer one is not played at once.
        return lines + ["  to hear it  thrum render \(journal)" + (seconds > SessionLength.longest.rawValue ? " --to 1:00:00" : "")]
    }

    private var ending: String {
        switch end.flatMap(SessionEnd.init(rawValue:)) {
        case .idle?: "idle: nobody did anything for a while"
        case .request?: "request: a front end ended it"
        case .shutdown?: "shutdown: thrumd was stopped"
        case .rollOver?: "rollover: the household's day was over"
        case nil: "cut off, or still running"
        }
    }
}
