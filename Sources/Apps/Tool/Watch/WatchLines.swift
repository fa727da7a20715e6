import Escaping
import Experience
import Fields

/// A notification from thrumd.
struct ReceivedNotification: Decodable {
    var method: String
    var params: [String: JSONValue]

    /// The notification as a line such as `scroll       cardIndex=3 pChurn=0.2`: all its fields, with shortened values.
    var words: String { line(pairs(without: ["number"], \.brief)).printable }

    /// The notification as a line such as `cue          tone.pitch frequency=440`: only the fields that matter at a glance.
    var summary: String {
        // The name of an event or a cue is in the field that has the topic's name.
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
    /// The value for people: text without quotes, anything else as JSON.
    var plain: String {
        if case .text(let text) = self { return text }
        return (try? JSONReport.line(self)) ?? ""
    }

    /// The value shortened, so that a line has room for several: for an object its name or, without a name, `{a=1 b=2}`; for a list of
    /// objects their number.
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

    /// The value for people, with numbers rounded to two decimals.
    var short: String {
        if case .number(let number) = self, number.magnitude < 1e9 { return number.fixed(2) }
        return plain
    }
}

/// Writes the lines of `thrum watch` where it draws no picture: each has the time in the session and a notification.
struct WatchLines {
    typealias Instant = ContinuousClock.Instant

    /// The largest width of a line, in columns. Longer lines are cut; `--json` shows them in full.
    static let width = 160
    /// The width of the time, in columns.
    private static let timeWidth = 10

    /// The time at which the running session began; nil while none is running.
    private var begun: Instant?

    /// Starts with the running session, which began `seconds` before `now`; nil while none is running.
    init(session seconds: Double?, at now: Instant) { begun = seconds.map { now.advanced(by: .seconds(-$0)) } }

    /// Returns a line such as `    12.345  cue          cue=chime name=ding`. The time is in seconds since the session's start, `-` between
    /// sessions.
    mutating func line(_ notification: ReceivedNotification, at now: Instant) -> String {
        let phase = notification.method == "session" ? notification.params["phase"] : nil
        if phase == .text("began") { begun = now }
        let time = begun.map { ($0.duration(to: now) / .seconds(1)).fixed(3) } ?? "-"
        if phase == .text("ended") { begun = nil }
        let line = time.alignedRight(to: Self.timeWidth) + "  " + notification.words
        return line.count <= Self.width ? line : String(line.prefix(Self.width - 1)) + "…"
    }
}
