import Calendar
import Experience
import Signals
import Testing
@testable import ScrollKitty

/// The rows that a session's picture has of the cat.
@Suite struct HighlightsTests {
    private func labels(_ body: any AnnouncementBody) -> [String: String] {
        let told = ScrollKitty.declaration.highlights.compactMap { row in row.label(of: Announcement(body)).map { (row.title, $0) } }
        return Dictionary(uniqueKeysWithValues: told)
    }

    @Test func `a bypass is told with its app and its cost, and with the bands that it crossed`() {
        let time = PieceTime(dayMinutes: PieceTime.realDay)
        let cat = Cat(Plan(counting: .perApp, apps: ["Chat"]), Days(Household.home, time, at: Moment(seconds: 0, offset: 0)))
        func lost(_ bands: [Band]) -> Lost { Lost(Cat.Loss(app: 0, lost: 5 * Health.partsPerPoint, bands: bands), cat, time) }
        #expect(labels(lost([])) == ["bypasses": "Chat −5 HP"])
        #expect(labels(lost([.eighty, .sixty])) == ["bypasses": "Chat −5 HP", "bands": "below 80, 60 HP"])
    }

    @Test func `days, shields and achievements have rows of their own`() {
        #expect(labels(ShieldsBack(apps: ["Chat", "Video"])) == ["shields back": "Chat, Video"])
        #expect(labels(DayBegan(day: 3, date: "2026-11-23", daysOff: 0)) == ["days": "2026-11-23"])
        #expect(labels(DayBegan(day: 29_590_463, date: nil, daysOff: 0)) == ["days": ""], "short days have no date, and a number that says nothing")
        #expect(labels(Achieved(achievements: [.firstGoodDay, .comeback], streak: 1)) == ["achievements": "first-good-day, comeback"])
    }
}
