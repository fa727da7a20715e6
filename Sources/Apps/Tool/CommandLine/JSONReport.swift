import Escaping
import FoundationEssentials

/// A report as JSON for scripts: keys sorted, one field a line, nothing that a terminal obeys.
enum JSONReport {
    static func text(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self).printableJSON
    }
}
