import Escaping
import Fields
import Publishing
import Wire

/// The changes that a document makes, as lines for people.
struct DiffText {
    private enum Colour: Int {
        case red = 31, green = 32, yellow = 33
    }

    private let diff: DocumentDiff

    init(_ diff: DocumentDiff) { self.diff = diff }

    func lines(coloured: Bool) -> [String] {
        let name = diff.version.map { "\(diff.kind) \($0)" } ?? diff.kind
        var lines = ["\(name), compared with " + (diff.former == 0 ? "the standard document" : "\(diff.former)")]
        let width = diff.changes.map(\.path.printable.columns).max() ?? 0
        lines += diff.changes.map { change in
            let path = change.path.printable.padded(to: width)
            switch (change.old, change.new) {
            case (nil, let new?): return paint("+ \(path)  \(Publications.text(new))", .green, coloured)
            case (let old?, nil): return paint("- \(path)  \(Publications.text(old))", .red, coloured)
            default: return paint("  \(path)  \(text(change.old)) → \(text(change.new))", .yellow, coloured)
            }
        }
        if diff.changes.isEmpty { lines.append("  nothing changes") }
        if let outlook = diff.outlook { lines += Self.lines(outlook) }
        return lines + diff.objections.map { paint("WRONG  \($0)", .red, coloured) }
    }

    private func text(_ value: JSONValue?) -> String { value.map { Publications.text($0) } ?? "nothing" }

    private static func lines(_ outlook: DocumentDiff.Outlook) -> [String] {
        let width = outlook.rows.map(\.name.columns).max() ?? 0
        return ["simulated: \(outlook.about)"] + outlook.rows.map { row in
            let unit = row.unit.map { " \($0)" } ?? ""
            let (before, after) = (row.before.map(Fault.plain) ?? "none", row.after.map(Fault.plain) ?? "none")
            let change = before == after ? "\(before)\(unit), as before" : "\(before) → \(after)\(unit)"
            return "  \(row.name.padded(to: width))  \(change)"
        }
    }

    private func paint(_ text: String, _ colour: Colour, _ isColoured: Bool) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
    }
}

/// The history of documents as lines for people.
enum HistoryText {
    static func lines(_ history: DocumentHistory) -> [String] {
        guard !history.kinds.isEmpty else { return ["the running piece has no configuration"] }
        return history.kinds.flatMap { kind -> [String] in
            let versions = history.versions.filter { $0.kind == kind.kind }
            let standard = kind.version == 0 ? ["* \(kind.kind) 0  the standard document"] : []
            return ["\(kind.kind): \(kind.about)"] + standard + versions.map { version in
                (version.version == kind.version ? "* " : "  ") + line(version)
            }
        }
    }

    static func line(_ report: DocumentReport) -> String {
        let steps: [(String, DocumentVersion.Step?)] = [
            ("proposed", report.proposed), ("approved", report.approved), ("published", report.published), ("withdrawn", report.withdrawn),
        ]
        let words = steps.compactMap { name, step in
            step.map { "\(name) by \($0.by) \(InstantText.utc($0.at))" }
        }
        let former = report.former.map { " after \($0)" } ?? ""
        return "\(report.kind) \(report.version)\(former)  " + words.joined(separator: ", ")
    }
}
