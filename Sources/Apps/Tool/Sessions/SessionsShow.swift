import ArgumentParser
import Escaping
import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

extension Sessions {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a session in a few lines: how long it was, how it ended, its events, its marks.",
            discussion: """
                --events lists all that happened, in order: when, what, and what the rules gave for it. With --json it is an array of the \
                journal's lines without the header, each with its time in `seconds`.

                EXAMPLES
                  thrum sessions show
                  thrum sessions show newest-1
                  thrum sessions show newest --events | grep unlock
                  thrum sessions show session.jsonl --json | jq .events
                  thrum sessions show newest --events --json | jq '.[] | select(.event == "swipe") | .seconds'
                """)

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var journal = SessionArgument(argument: "newest")

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @Flag(help: "A line for each event.")
        var events = false

        @OptionGroup var folder: SessionsOption

        func run() throws {
            let session = try journal.file(in: folder.path)
            if events { return try list(session) }
            let overview = try read(session)
            if json {
                print(try JSONReport.text(overview))
            } else {
                print(overview.lines.joined(separator: "\n"))
            }
        }

        private func list(_ session: SessionFile) throws {
            // The array is closed even where a line cannot be read, so that the output is valid JSON.
            if json { print("[") }
            defer { if json { print("]") } }
            try session.reading {
                if json {
                    try SessionEvents.json(of: session.path) { print($0.printableJSON) }
                } else {
                    try SessionEvents.forEach(in: session.path) { print($0) }
                }
            }
        }

        private func read(_ session: SessionFile) throws -> SessionOverview {
            let overview = try session.reading { try SessionOverview(session.path, named: session.name, Pieces.current.all) }
            if let warning = overview.warning { warn(warning) }
            return overview
        }
    }
}

/// The list of a session's events: when each happened, what it was, and the cues that followed.
enum SessionEvents {
    /// Calls `show` with each line of a JSON array of the journal's lines, without its header and checkpoints. In each line, `seconds`, the
    /// time since the session's start, replaces the checksum. All but the first begin with a comma. Throws `JournalFault` and `Errno`.
    static func json(of journal: FilePath, _ show: (String) -> Void) throws {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        var isFirst = true
        while let entry = try scan.next() {
            if case .header(let header) = entry {
                rate = header.sampleRate
                continue
            }
            if case .checkpoint = entry { continue }
            let line = String(decoding: JournalLine.encode(entry).dropFirst().dropLast(), as: UTF8.self)
            let seconds = rate.seconds(in: entry.frame - .zero).rawValue.fixed(6)
            show((isFirst ? " " : ",") + "{\"seconds\":\(seconds),\(line)")
            isFirst = false
        }
    }

    /// Calls `show` with a line for people for each entry of the journal. Throws `JournalFault` and `Errno`.
    static func forEach(in journal: FilePath, _ show: (String) -> Void) throws {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        while let entry = try scan.next() {
            func line(_ frame: Frame, _ words: String, _ cues: [Cue] = []) {
                let time = rate.seconds(in: frame - .zero).clock(3)
                let followed = cues.isEmpty ? "" : "  → " + cues.map(\.words).joined(separator: ", ")
                show(time.alignedRight(to: 11) + "  " + words + followed)
            }
            switch entry {
            case .header(let header):
                rate = header.sampleRate
                line(.zero, "\(header.experience), theme \(header.theme.name.printable)", header.rules?.opening ?? [])
            case .event(let event, let frame, _, let gave):
                line(frame, event.kind.words + (gave?.logOdds.map { ", margin \($0.fixed(2))" } ?? ""), gave?.cues ?? [])
            case .discontinuity(.late(let frames), let frame): line(frame, "heard late, by at most \(rate.seconds(in: frames).clock(3))")
            case .discontinuity(.gap(nil), let frame): line(frame, "not heard from here on")
            case .discontinuity(.gap(let frames?), let frame): line(frame, "not heard for \(rate.seconds(in: frames).clock(3))")
            case .discontinuity(.lost(let entries), let frame): line(frame, "\(entries) entries are missing")
            case .checkpoint: break
            case .end(let end, let frame): line(frame, "end: \(end.rawValue)")
            }
        }
    }
}

extension EventKind {
    /// The event's name, and its details.
    fileprivate var words: String {
        switch self {
        case .touch(let touch): "\(name) \(touch.phase.rawValue)" + (touch.finger == 0 ? "" : ", finger \(touch.finger)")
        case .swipe(let swipe): "\(name) \(swipe.direction.rawValue)"
        case .chime(let chime): "\(name) \(chime.printable)"
        case .texture(let texture, let on): "\(name) \(texture.printable) \(on ? "on" : "off")"
        case .noise(let level): "\(name) " + (level.map { "\($0.rawValue.fixed(1)) dBFS" } ?? "off")
        case .haptic(let pattern): "\(name) \(pattern.printable)"
        case .knob(let change): "\(name) \(change.name.printable)"
        case .mute(let on): "\(name) \(on ? "on" : "off")"
        case .ceiling(let level): "\(name) \(level.rawValue.fixed(1)) dBFS"
        case .volume(let level, _): "\(name) \(level.rawValue.fixed(1)) dB"
        case .theme(let theme): "\(name) \(theme.name.printable)"
        case .mark(let text): "\(name) \"\(text.printable)\""
        case .configuration(let document): "\(name) \(document.kind.printable)"
        case .visit(let phase): "\(name) \(phase.rawValue)"
        case .touchOwner(let owner): "\(name) \(owner.rawValue)"
        case .action, .tap, .tone, .pattern, .start, .stop, .arrival, .tick, .left: name
        }
    }
}

extension Cue {
    fileprivate var words: String {
        switch self {
        case .toneGate(let open): "tone \(open ? "on" : "off")"
        case .tonePitch(let pitch, _): "\(pitch.rawValue.fixed(1)) Hz"
        case .toneLevel(let level): "\(level.rawValue.fixed(1)) dBFS"
        case .chime(let name): "chime \(name.printable)"
        case .texture(let name, let on): "texture \(name.printable) \(on ? "on" : "off")"
        case .noise(let level): "noise " + (level.map { "\($0.rawValue.fixed(1)) dBFS" } ?? "off")
        case .haptic(let name): "haptic \(name.printable)"
        case .pattern: "haptic pattern"
        case .mute(let on): "mute \(on ? "on" : "off")"
        case .ceiling(let level): "ceiling \(level.rawValue.fixed(1)) dBFS"
        case .volume(let level, _): "volume \(level.rawValue.fixed(1)) dB"
        case .theme(let theme): "theme \(theme.name.printable)"
        case .stop: "stop"
        }
    }
}
