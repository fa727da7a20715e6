import Fields
import Publishing
import Testing
import Wire

@testable import Tool

@Suite struct ConfigTextTests {
    private let diff = DocumentDiff(
        kind: "prices", version: 4, former: 3,
        changes: [DocumentChange(path: "cure.gems", old: .integer(120), new: .integer(90)),
                  DocumentChange(path: "items[tuna]", old: nil, new: .object(["id": .text("tuna")])),
                  DocumentChange(path: "old", old: .flag(true), new: nil)],
        objections: ["prices.cure.gems: expected more"],
        outlook: DocumentDiff.Outlook(about: "2 households", rows: [
            DocumentDiff.Outlook.Row(name: "deaths", unit: nil, before: 31, after: 27.5),
            DocumentDiff.Outlook.Row(name: "median Gems", unit: "Gems", before: 400, after: 400),
        ]))

    @Test func `a diff is a line for each place, and plain where it is not for a terminal`() {
        #expect(DiffText(diff).lines(coloured: false) == [
            "prices 4, compared with 3",
            "  cure.gems    120 → 90",
            #"+ items[tuna]  {"id":"tuna"}"#,
            "- old          true",
            "simulated: 2 households",
            "  deaths       31 → 27.5",
            "  median Gems  400 Gems, as before",
            "WRONG  prices.cure.gems: expected more",
        ])
        let coloured = DiffText(diff).lines(coloured: true)
        #expect(coloured[2] == "\u{1B}[32m+ items[tuna]  {\"id\":\"tuna\"}\u{1B}[0m" && coloured[3].hasPrefix("\u{1B}[31m"))
    }

    @Test func `a history names who did what, and marks what is in force`() {
        let (anna, ben) = (DocumentVersion.Step(by: "anna", at: 0), DocumentVersion.Step(by: "ben", at: 86_400))
        let version = DocumentVersion(kind: "prices", version: 2, former: 1, body: "{}", proposed: anna, approved: ben)
        let kind = DocumentHistory.Kind(kind: "prices", about: "What things cost.", version: 0)
        #expect(HistoryText.lines(DocumentHistory(kinds: [kind], versions: [DocumentReport(version)])) == [
            "prices: What things cost.", "* prices 0  the standard document",
            "  prices 2 after 1  proposed by anna 1970-01-01T00:00:00Z, approved by ben 1970-01-02T00:00:00Z",
        ])
        #expect(HistoryText.lines(DocumentHistory(kinds: [], versions: [])) == ["the running piece has no configuration"])
    }
}
