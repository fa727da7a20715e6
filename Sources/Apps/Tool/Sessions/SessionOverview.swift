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
        /// The time of the mark, in seconds since the session's start.
        var seconds: Double
        var text: String
    }

    /// The largest number of marks that are listed: a journal may contain very many long ones.
    private static let mostMarks = 1_000

    struct Discontinuities: Encodable {
        /// The number of changes that were heard late.
        var late = 0
        /// The number of frames that were heard without those changes; the largest number that is possible.
        var lateFrames: Int64 = 0
        var gaps = 0
        /// The number of frames in gaps, as far as their lengths are known. These frames were not heard.
        var gapFrames: Int64 = 0
        /// The number of journal entries that could not be written to the disk.
        var lost = 0
    }

    var journal: String
    var experience: String
    /// The version of the piece's rules; nil for a journal of version 1, which does not contain it.
    var rules: Int?
    /// The model by which the piece predicted; nil where the journal names none.
    var model: JournalHeader.Model?
    /// The name of the theme with which the session began, and (`laterThemes`) the names of those that followed.
    var theme: String
    var laterThemes: [String] = []
    var seed: UInt64
    var sampleRate: Int
    var started: String
    var seconds = 0.0
    /// The time in seconds from the first to the last event of a visitor; nil if there was none.
    var visitorSeconds: Double?
    /// The reason why the session ended; nil if it was cut off, or is still running.
    var end: String?
    /// The number of events by kind. Events of clients and of our touchscreens are counted, events of the engine itself are not.
    var events: [String: Int] = [:]
    /// The number of clients that have sent events.
    var clients = 0
    var touchscreens = 0
    /// How often each chime was played, by name; nil for a journal of version 1, which contains no cues.
    var chimes: [String: Int]?
    /// The piece's record of the session; nil where this Thrum has other rules of the piece, or the piece makes no record.
    var record: Announcement?
    var marks: [Mark] = []
    /// The number of marks after the first 1,000.
    var moreMarks = 0
    var discontinuities = Discontinuities()
    /// The number of the first line whose checksum is wrong or missing; nil if no such line is known.
    var changedLine: Int?
    /// The kinds of damage of the journal, each in a few words; empty where the journal is intact.
    var damage: [String] = []
    /// A warning for people about changed or missing lines; nil where there is no such damage.
    var warning: String?

    /// Summarizes the journal at `path`, whose name for people is `name`. Throws `JournalFault` and `Errno`.
    init(_ path: FilePath, named name: String, _ pieces: [any Experience.Type]) throws {
        var scan = try JournalScan(path)
        let header = try scan.header()
        let rate = header.sampleRate
        journal = name
        experience = header.experience
        rules = header.rules?.version
        model = header.model
        theme = header.theme.name
        chimes = header.rules.map { _ in [:] }
        seed = header.seed
        sampleRate = Int(rate.hertz)
        started = header.started
        var reporters: Set<Client> = []
        /// The frame at which a gap starts whose end has not been read yet; nil where there is none.
        var openGap: Frame?
        var length = FrameCount.zero
        var visit: (first: Frame, last: Frame)?
        while let entry = try scan.next() {
            switch entry {
            case .event(let event, let frame, _, let gave):
                length = FrameCount(frame.rawValue) + rate.frames(in: .stopTime)
                for case .chime(let name) in gave?.cues ?? [] { chimes?[name, default: 0] += 1 }
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
            // A gap has a line at its start and one at its end, or only the first where the journal was cut off. It is counted once.
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

    /// Returns the record that the piece makes of the session; nil where the session cannot be replayed by the session's rules.
    private static func record(_ path: FilePath, _ pieces: [any Experience.Type]) -> Announcement? {
        guard var replay = try? Replay(path, by: .same, pieces), (try? replay.finish()) != nil else { return nil }
        return replay.record
    }

    /// The summary as lines for people.
    var lines: [String] {
        let kinds = events.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        let told = kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")
        let themes = ([theme] + laterThemes).map(\.printable)
        let stay = visitorSeconds.map { ", somebody there for \(Seconds($0).clock(3))" } ?? ""
        let rules = rules.map { "rules \($0), " } ?? ""
        var lines: [String] = [
            journal,
            "  experience  \(experience), \(rules)seed \(seed)",
            "  theme       \(themes.joined(separator: ", then "))",
            "  started     \(started)",
            "  length      \(Seconds(seconds).clock(3)) at \(sampleRate) Hz\(stay)",
            "  ended       \(ending)",
            "  events      \(events.values.reduce(0, +))\(told)",
            "  from        clients: \(clients), touchscreens: \(touchscreens)",
        ]
        if let model { lines.insert("  model       \(model.name.printable)" + (model.digest.map { ", SHA-256 \($0)" } ?? ""), at: 2) }
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
        // A longer session is rendered in parts.
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
