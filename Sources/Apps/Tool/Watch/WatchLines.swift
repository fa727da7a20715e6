import Escaping
import Experience
import Fields
import Wire

/// A notification from thrumd.
struct ReceivedNotification: Decodable {
    var method: String
    var params: [String: JSONValue]

    /// The notification as `scroll       cardIndex=3 pChurn=0.2`: all fields, each of them short.
    var words: String { line(pairs(without: ["number"], \.brief)).printable }

    /// The notification as `cue          tone.pitch frequency=440`: what matters at a glance.
    var summary: String {
        // An event's or a cue's own name has the topic's name as its key.
        let name = params[method].map { [$0.plain] } ?? []
        return line(name + pairs(without: ["number", "frame", "due", method], \.brief)).printable
    }

    private func line(_ words: [String]) -> String {
        (method + " ").padded(to: 13) + words.joined(separator: " ")
    }

    private func pairs(without keys: Set<String>, _ text: (JSONValue) -> String) -> [String] {
        params.filter { !keys.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }
    }
}

extension JSONValue {
    /// The text without its quotes; anything else as JSON.
    var plain: String {
        if case .text(let text) = self { return text }
        return (try? JSONReport.line(self)) ?? ""
    }

    /// The value for a line with others: an object with a name by its name, another one as `{a=1 b=2}`; a list of objects by how many there
    /// are.
    var brief: String {
        switch self {
        case .object(let fields):
            if case .text(let name)? = fields["name"] ?? fields["id"] { return name }
            return "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.brief)" }.joined(separator: " ") + "}"
        case .list(let values):
            let isOfParts = values.contains { if case .object = $0 { true } else { false } }
            return isOfParts ? "[\(values.count)]" : values.map(\.brief).joined(separator: ",")
        default: return short
        }
    }

    /// The value with two digits after the point where there are more.
    var short: String {
        if case .number(let number) = self, number.magnitude < 1e9 { return number.fixed(2) }
        return plain
    }
}

/// The lines of `thrum watch` where it draws no picture: when in the session, and what was notification.
struct WatchLines {
    typealias Instant = ContinuousClock.Instant

    /// The most columns of a line; `--json` has all of what a line has no room for.
    static let width = 160
    /// The columns of the time.
    private static let margin = 10

    /// The moment at which the session under way has begun; nil between sessions.
    private var begun: Instant?

    /// Begins `seconds` after the session's start; nil between sessions.
    init(session seconds: Double?, at now: Instant) { begun = seconds.map { now.advanced(by: .seconds(-$0)) } }

    /// Returns for instance `    12.345  cue          cue=chime name=ding`; the time is in seconds since the session's start, `-` without
    /// one.
    mutating func line(_ notification: ReceivedNotification, at now: Instant) -> String {
        let phase = notification.method == "session" ? notification.params["phase"] : nil
        if phase == .text("began") { begun = now }
        let time = begun.map { ($0.duration(to: now) / .seconds(1)).fixed(3) } ?? "-"
        if phase == .text("ended") { begun = nil }
        let line = time.alignedRight(to: Self.margin) + "  " + notification.words
        return line.count <= Self.width ? line : String(line.prefix(Self.width - 1)) + "…"
    }
}
