import Escaping
import Fields
import FoundationEssentials
import Wire

/// A notification from thrumd.
struct Told: Decodable {
    var method: String
    var params: [String: JSONValue]

    /// `scroll       cardIndex=3 pChurn=0.2`, all fields of it, each of them short.
    var words: String { line(pairs(without: ["number"], \.brief)).printable }

    /// `cue          tone.pitch frequency=440`, with what matters at a glance.
    var summary: String {
        // An event's or a cue's own name has the topic's name as its key.
        let name = params[method].map { [$0.plain] } ?? []
        return line(name + pairs(without: ["number", "frame", "due", method], \.brief)).printable
    }

    private func line(_ words: [String]) -> String {
        method + String(repeating: " ", count: max(1, 13 - method.count)) + words.joined(separator: " ")
    }

    private func pairs(without keys: Set<String>, _ text: (JSONValue) -> String) -> [String] {
        params.filter { !keys.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }
    }
}

extension JSONValue {
    /// Text without its quotes, anything else as JSON.
    var plain: String {
        if case .text(let text) = self { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// For a line with others: an object with a name by its name, another one as `{a=1 b=2}`; a list of objects by how many there are.
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

    /// With two digits after the point where there are more.
    var short: String {
        if case .number(let number) = self, number.magnitude < 1e9 { return Report.fixed(number, 2) }
        return plain
    }
}
