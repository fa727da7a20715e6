import Calendar
import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

@Suite struct MessagesTests {
    @Test func `280 texts in two languages are compiled in, with the same placeholders`() {
        let book = MessageBook.shipped
        let all = MessageGroup.allCases.flatMap { book[$0] }
        #expect(all.count == 280 && Set(all.map(\.id)).count == 280)
        for message in all { #expect(message.en.placeholders == message.de.placeholders, "\(message.id)") }
    }

    @Test func `a text is filled with what is known, and is not told without`() {
        let text = MessageText("Since {{lastUseTime}}, {{phoneUseHours}} h {no} }}.")
        #expect(text.placeholders == ["lastUseTime", "phoneUseHours"])
        #expect(text.filled(["lastUseTime": "9:30 AM", "phoneUseHours": "3.5"]) == "Since 9:30 AM, 3.5 h {no} }}.")
        #expect(text.filled(["lastUseTime": "9:30 AM"]) == nil)
        #expect(MessageText("It\u{2019}s 9:30, {{dayPart}} Purr.").skeleton == "it's purr")
    }

    @Test func `facts are in each language's words`() throws {
        var keeper = Keeper(at: 9 * 3_600 + 1_800)
        #expect(MessageFacts(keeper.cat, at: keeper.piece.time.moment(.init(instant: Double(newYear) + 34_200, utcOffset: 0))).en
            == ["currentHealthBand": "100", "dayPart": "morning"])
        try keeper.act("kitty.goal", ["hours": .number(3.5)])
        try keeper.act("kitty.cooldown", ["minutes": .integer(60)])
        for _ in 0..<4 { try keeper.bypass(); keeper.wait(3_600) }
        let facts = MessageFacts(keeper.cat, at: Moment(seconds: Int(keeper.now), offset: 0))
        #expect(facts.en == ["firstUseTime": "9:30 AM", "lastUseTime": "12:30 PM", "phoneUseHours": "4.0", "goalHours": "3.5",
                             "overByHours": "0.5", "currentHealthBand": "80", "dayPart": "afternoon"])
        #expect(facts.de == ["firstUseTime": "9:30 Uhr", "lastUseTime": "12:30 Uhr", "phoneUseHours": "4,0", "goalHours": "3,5",
                             "overByHours": "0,5", "currentHealthBand": "80", "dayPart": "Nachmittag"])
    }

    @Test func `each moment has its message`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        var groups: [String] = []
        for _ in 0..<20 {
            try keeper.bypass()
            groups += keeper.said(KittySays.self).map(\.group)
            keeper.wait(1_200)
        }
        #expect(groups == ["welcome", "band-80", "band-60", "band-40", "band-20", "band-10", "band-0", "terminal"])
        keeper.wait(toDay: 1, "23:30")
        #expect(keeper.said(KittySays.self).map(\.group) == ["summary", "nightly-good"], "no evening's message after the terminal one")
    }

    /// Facts of a day: those named, each with the value 1, and those that are always known.
    private func facts(_ names: String...) -> MessageFacts {
        var facts = MessageFacts(Keeper().cat, at: Moment(seconds: 0, offset: 0))
        for name in names { (facts.en[name], facts.de[name]) = ("1", "1") }
        return facts
    }

    private func told(_ days: Int, _ group: MessageGroup, _ facts: MessageFacts) -> [String] {
        var log = MessageLog()
        return (0..<days).map { _ in
            log.beginDay()
            return log.choose(group, facts, seed: 7, from: .shipped)?.id ?? ""
        }
    }

    /// 14 terminal texts are of a day above its goal: one told a day, each comes again after 14 days, in the order of the first time.
    @Test func `when all are used up, the oldest comes first`() {
        let told = told(42, .terminal, facts("firstUseTime", "lastUseTime", "terminalAtLocalTime", "phoneUseHours", "goalHours", "overByHours"))
        #expect(Set(told.prefix(14)).count == 14 && Array(told[14..<28]) == Array(told[..<14]) && Array(told[28...]) == Array(told[..<14]))
    }

    @Test func `how the day stands to its goal chooses the text, then its use, then when it began`() {
        let use = ["firstUseTime", "lastUseTime", "terminalAtLocalTime", "phoneUseHours"]
        func placeholders(_ group: MessageGroup, _ facts: MessageFacts) -> Set<String> {
            let told = Set(told(8, group, facts))
            return MessageBook.shipped[group].filter { told.contains($0.id) }.map(\.en.placeholders).reduce(into: []) { $0.formUnion($1) }
        }
        for group in [MessageGroup.terminal, .nightlyGood, .nightlyMixed] {
            var all = facts("goalHours", "overByHours")
            for name in use { (all.en[name], all.de[name]) = ("1", "1") }
            #expect(placeholders(group, all).contains("overByHours"))
            (all.en["underByHours"], all.de["underByHours"]) = ("1", "1")
            (all.en["overByHours"], all.de["overByHours"]) = (nil, nil)
            #expect(placeholders(group, all).contains("underByHours"))
            for name in ["goalHours", "underByHours"] { (all.en[name], all.de[name]) = (nil, nil) }
            #expect(placeholders(group, all).contains("phoneUseHours"))
            (all.en["phoneUseHours"], all.de["phoneUseHours"]) = (nil, nil)
            #expect(placeholders(group, all).contains("firstUseTime"))
            #expect(told(8, group, facts("terminalAtLocalTime")).allSatisfy { !$0.isEmpty }, "there is always one")
        }
    }
}
