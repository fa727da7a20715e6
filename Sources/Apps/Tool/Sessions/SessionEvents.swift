import Escaping
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A session as a list: when, what happened, and what followed.
enum SessionEvents {
    /// Calls `show` with the elements of a JSON array, a line each with the comma before it: the journal's lines but its header and its
    /// checkpoints, with the time in `seconds` in place of the sum. Throws `JournalFault` and `Errno`.
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
            let seconds = Report.fixed(rate.seconds(in: entry.frame - .zero).rawValue, 6)
            show((isFirst ? " " : ",") + "{\"seconds\":\(seconds),\(line)")
            isFirst = false
        }
    }

    /// For people: calls `show` with each line. Throws `JournalFault` and `Errno`.
    static func forEach(in journal: FilePath, _ show: (String) -> Void) throws {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        while let entry = try scan.next() {
            func line(_ frame: Frame, _ words: String, _ cues: [Cue] = []) {
                let time = rate.seconds(in: frame - .zero).clock(3)
                let followed = cues.isEmpty ? "" : "  → " + cues.map(\.words).joined(separator: ", ")
                show(String(repeating: " ", count: max(0, 11 - time.count)) + time + "  " + words + followed)
            }
            switch entry {
            case .header(let header):
                rate = header.sampleRate
                line(.zero, "\(header.experience), theme \(header.theme.name.printable)", header.rules?.opening ?? [])
            case .event(let event, let frame, _, let cues): line(frame, event.kind.words, cues ?? [])
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
    /// Its name, and what it says.
    fileprivate var words: String {
        switch self {
        case .touch(let touch): "\(name) \(touch.phase.rawValue)" + (touch.finger == 0 ? "" : ", finger \(touch.finger)")
        case .swipe(let swipe): "\(name) \(swipe.direction.rawValue)"
        case .chime(let chime): "\(name) \(chime.printable)"
        case .texture(let texture, let on): "\(name) \(texture.printable) \(on ? "on" : "off")"
        case .haptic(let pattern): "\(name) \(pattern.printable)"
        case .knob(let change): "\(name) \(change.name.printable)"
        case .mute(let on): "\(name) \(on ? "on" : "off")"
        case .ceiling(let level): "\(name) \(Report.fixed(level.rawValue, 1)) dBFS"
        case .volume(let level, _): "\(name) \(Report.fixed(level.rawValue, 1)) dB"
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
        case .tonePitch(let pitch, _): "\(Report.fixed(pitch.rawValue, 1)) Hz"
        case .toneLevel(let level): "\(Report.fixed(level.rawValue, 1)) dBFS"
        case .chime(let name): "chime \(name.printable)"
        case .texture(let name, let on): "texture \(name.printable) \(on ? "on" : "off")"
        case .haptic(let name): "haptic \(name.printable)"
        case .pattern: "haptic pattern"
        case .mute(let on): "mute \(on ? "on" : "off")"
        case .ceiling(let level): "ceiling \(Report.fixed(level.rawValue, 1)) dBFS"
        case .volume(let level, _): "volume \(Report.fixed(level.rawValue, 1)) dB"
        case .theme(let theme): "theme \(theme.name.printable)"
        case .stop: "stop"
        }
    }
}
