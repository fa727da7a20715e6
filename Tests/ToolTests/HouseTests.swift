import Fields
import Publishing
import Testing
import Wire

@testable import Tool

/// What `settings`, `reload`, `schedule`, `log` and `status` print.
@Suite struct HouseTextTests {
    @Test func `settings are in columns, with where each is from and what waits for a start`() {
        let settings = [
            SettingReport(key: "theme", value: "glass", unit: nil, source: .file, place: "thrum.yaml:3", effect: .reload),
            SettingReport(key: "queue", value: "150", unit: "ms", source: .variable, place: "THRUM_QUEUE", effect: .start, next: "200"),
            SettingReport(key: "idle", value: "45", unit: nil, source: .default, place: nil, effect: .reload),
            SettingReport(key: "toast-cooldown", value: "5", unit: "s", source: .hand, place: nil, effect: .reload),
            SettingReport(key: "schedule", value: "{otherwise: silent, hours: {open: {days: daily}}}", unit: nil, source: .file,
                          place: "thrum.yaml:9", effect: .reload),
            SettingReport(key: "rate", value: "44100", unit: "Hz", source: .lastGood, place: "last-good.json", effect: .start),
        ]
        #expect(SettingsText(settings).lines == [
            "theme           glass     thrum.yaml:3",
            "queue           150 ms    THRUM_QUEUE; 200 from the next start on",
            "idle            45        default",
            "toast-cooldown  5 s       by hand",
            "schedule        {otherwise: silent, hours: {open: {days: daily}}}  thrum.yaml:9",
            "rate            44100 Hz  as it was good last (last-good.json)",
        ])
    }

    @Test func `an accepted clock is told with the house's time, and by how much that is another`() {
        #expect(AcceptClock.line(ClockReport(time: 10.9, jump: -5.2)) { "\($0)" } == "the house's time is 10, 5 s earlier than before")
        #expect(AcceptClock.line(ClockReport(time: 10, jump: 86_400)) { "\($0)" } == "the house's time is 10, 86400 s later than before")
    }

    @Test func `a reload says what changed, what waits and what is odd, or that nothing did`() {
        let report = ReloadReport(changes: [.init(key: "idle", former: "45", value: "30"), .init(key: "theme", former: "a", value: "a")],
                                  waitingForStart: ["rate"], warnings: ["odd"])
        #expect(ReloadCommand.lines(report) == ["changed  idle: 45 → 30", "changed  theme: what a stands for",
                                                "waiting  rate: counts from the next start on", "warning  odd"])
        #expect(ReloadCommand.lines(ReloadReport(changes: [], waitingForStart: [], warnings: [])) == ["nothing has changed"])
    }

    /// Days of 100 s and hours of 10 s, so that the instants can be read.
    private func text(_ spans: [ScheduleWeek.Span], chosen: String? = nil) -> [String] {
        ScheduleText(ScheduleWeek(days: [], spans: spans, chosen: chosen), day: { "day \($0 / 100)" }, time: { "0\($0 % 100 / 10):00" }).lines
    }

    @Test func `the week has a line for each span, and each day is named once`() {
        let spans = [
            ScheduleWeek.Span(start: 0, until: 40, preset: "silent", entry: "night", isOpen: false, utcOffset: 0),
            ScheduleWeek.Span(start: 40, until: 100, preset: "normal", entry: nil, isOpen: true, utcOffset: 0),
            ScheduleWeek.Span(start: 100, until: 230, preset: "quiet-day", entry: "class", isOpen: true, utcOffset: 0),
            ScheduleWeek.Span(start: 230, until: 300, preset: "silent", entry: nil, date: "2026-12-24", isOpen: false, utcOffset: 0),
        ]
        #expect(text(spans, chosen: "normal") == [
            "day 0  00:00–04:00  silent     closed  night",
            "       04:00–24:00  normal",
            "day 1  00:00–day 2 03:00  quiet-day  class",
            "day 2  03:00–24:00  silent     closed  2026-12-24",
            "by hand until the schedule changes: normal",
        ])
        #expect(text([]) == ["the clock is not set, so the schedule does not count"])
    }

    @Test func `who is connected is told by role and name, operators first`() {
        let clients = [
            ConnectedClients.Client(client: 1, name: "page", role: .visitor, isLocal: true),
            ConnectedClients.Client(client: 2, name: nil, role: .operator, isLocal: true),
            ConnectedClients.Client(client: 3, name: "page", role: .visitor, isLocal: false),
            ConnectedClients.Client(client: 4, name: "console", role: .operator, isLocal: true),
        ]
        #expect(ClientsText(clients).words == "operator: console, 1 without a name; visitor: page (2)")
        #expect(ClientsText([]).words == "none")
    }

    @Test func `refused notifications are told by client, with the last reason, and those of clients that are gone together`() {
        let page = ConnectedClients.Client(client: 7, name: "page", role: .visitor, isLocal: true, refused: 3, lastRefusal: "no\nmethod")
        let nameless = ConnectedClients.Client(client: 8, name: nil, role: .operator, isLocal: true, refused: 1, lastRefusal: "why")
        let quiet = ConnectedClients.Client(client: 9, name: "quiet", role: .visitor, isLocal: true)
        #expect(RefusalsText(.init(notifications: 9, lastNotification: "why"), [page, nameless, quiet]).lines == [
            "notifications of page (client 7): 3, the last because no·method",
            "notifications of client 8: 1, the last because why",
            "notifications of clients that are gone: 5",
        ])
        #expect(RefusalsText(.init(notifications: 2, lastNotification: "why"), [quiet]).lines == [
            "notifications of clients that are gone: 2, the last because why",
        ])
        #expect(RefusalsText(.init(), [quiet]).lines == [])
        #expect(RefusalsText(.init(), [nameless]).lines.count == 1, "it came after the count was told")
    }

    @Test(arguments: [
        (OutputKind.null, StatusReport.Output.State.null, "null: nothing is heard"),
        (.pulse, .connected, "sound server, playing"), (.pulse, .waiting, "sound server, waiting for it"),
        (.alsa, .connected, "sound card, playing"), (.alsa, .waiting, "sound card, waiting for it"),
    ])
    func `the output is told in words`(kind: OutputKind, state: StatusReport.Output.State, words: String) {
        var output = Example.status.output
        output.kind = kind
        #expect(OutputText.words(output, state) == words)
    }

    @Test func `a log record is a line, whatever it says`() {
        let record = LogRecord(number: 1, time: 5.9, level: .warning, message: "refused", metadata: ["origin": "a\nb", "from": "127.0.0.1"])
        #expect(LogText.line(record) { "\($0) s" } == "5 s  warning   refused  from=127.0.0.1  origin=a·b")
    }
}

@Suite struct HouseholdTextTests {
    @Test func `households are told a line each, with what strangers have called them made printable, and how many there may be`() {
        let list = HouseholdList(households: [
            HouseholdList.Household(name: "anna", updated: 1_782_568_800, entries: 3, isHere: true, hasOnlySecret: false),
            HouseholdList.Household(name: "\u{1B}[2J", updated: 0, entries: 0, isHere: false, hasOnlySecret: true),
        ], kept: 2, most: 10_000)
        let lines = HouseholdText.lines(list)
        // `date -u -d @1782568800` is Sat Jun 27 14:00:00 UTC 2026.
        #expect(lines.first == "anna  2026-06-27T14:00:00Z  3  there now" && lines.last == "2 of at most 10000" && lines.count == 3)
        #expect(!lines[1].unicodeScalars.contains("\u{1B}") && lines[1].hasSuffix("  1970-01-01T00:00:00Z  0  only a secret"))
    }

    @Test func `what becomes of a household is told with what its accounts have`() {
        let balances = LedgerBalances(household: "ana", balances: [
            LedgerPosting(account: "issued.gems", currency: "gems", amount: -500),
            LedgerPosting(account: "spent.food", currency: "energy", amount: 0),
            LedgerPosting(account: "wallet.gems", currency: "gems", amount: 500),
        ], households: [])
        #expect(HouseholdText.line("ana", balances, "removed") == "ana removed: issued.gems -500 gems, wallet.gems 500 gems")
        #expect(HouseholdText.line("ana", LedgerBalances(household: "ana", balances: [], households: []), "would be removed")
            == "ana would be removed")
    }
}

@Suite struct LedgerTableTests {
    private func entry(_ number: Int64, _ postings: [LedgerPosting], note: String = "null") -> LedgerEntries.Entry {
        LedgerEntries.Entry(number: number, key: "k\(number)", kind: "buy", created: 1_700_000_000, postings: postings, note: note)
    }

    private let sale = [LedgerPosting(account: "wallet", currency: "energy", amount: -5), LedgerPosting(account: "shop", currency: "energy", amount: 5)]

    private func table(_ entries: [LedgerEntries.Entry], _ balances: [LedgerPosting]) -> LedgerTable {
        var table = LedgerTable()
        table.add(LedgerEntries(household: "home", entries: entries))
        table.verify(LedgerBalances(household: "home", balances: balances, households: ["home"]))
        return table
    }

    /// The time is by `date -u -d @1700000000`.
    @Test func `a ledger is a line for each posting, quoted as RFC 4180 has it`() {
        let table = table([entry(3, sale, note: #"{"item":"fish, \"fresh\""}"#), entry(4, [])], sale)
        #expect(table.problem == nil && table.last == 4)
        #expect(table.text == [
            "number,time,household,key,kind,account,currency,amount,note",
            #"3,2023-11-14T22:13:20Z,home,k3,buy,wallet,energy,-5,"{""item"":""fish, \""fresh\""""}""#,
            #"3,2023-11-14T22:13:20Z,home,k3,buy,shop,energy,5,"{""item"":""fish, \""fresh\""""}""#,
            "4,2023-11-14T22:13:20Z,home,k4,buy,,,,",
        ].map { $0 + "\r\n" }.joined())
    }

    @Test func `what does not add up is told`() {
        let half = [sale[0]]
        #expect(table([entry(3, half)], half).problem == "entry 3: its postings sum to -5 energy, not to zero")
        #expect(table([entry(3, sale)], half).problem == "shop: thrumd tells no balance in energy")
        #expect(table([], half).problem == "wallet: the entries come to 0 energy, and thrumd tells -5")
    }
}

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
