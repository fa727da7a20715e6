import SystemPackage

/// How thrumd names a journal: after the time its session started, as in `2026-01-01T12-00-00Z.jsonl`. The second of one second and those
/// after it have a number (`…Z-2.jsonl`). One that was set aside because others changed it has a mark (`…Z.disturbed.jsonl`).
struct JournalName: Equatable {
    private static let mark = ".disturbed"

    var stem: String
    /// From 1.
    var number = 1
    var isDisturbed = false

    /// `started` is ISO 8601, of which file names cannot hold every character.
    init(started: String, number: Int) {
        stem = String(started.map { $0 == ":" ? "-" : $0 })
        self.number = number
    }

    /// Nil for a file that somebody else has named.
    init?(_ path: FilePath) {
        guard let name = path.lastComponent?.string, name.hasSuffix(".jsonl") else { return nil }
        var rest = name.dropLast(".jsonl".count)
        isDisturbed = rest.hasSuffix(Self.mark)
        if isDisturbed { rest = rest.dropLast(Self.mark.count) }
        stem = String(rest.prefix(20))
        number = rest.count == 20 ? 1 : Int(rest.dropFirst(21)) ?? 0
        let shape = String(stem.map { "0"..."9" ~= $0 ? "0" : $0 })
        guard shape == "0000-00-00T00-00-00Z", number > 0, text == name else { return nil }
    }

    /// The name under which the file is set aside.
    var disturbed: JournalName {
        var name = self
        name.isDisturbed = true
        return name
    }

    var text: String { stem + (number > 1 ? "-\(number)" : "") + (isDisturbed ? Self.mark : "") + ".jsonl" }
}
