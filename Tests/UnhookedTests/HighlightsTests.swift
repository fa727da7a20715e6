import Calendar
import Experience
import Signals
import Testing
@testable import Unhooked

/// The rows that a session's picture has of the pet.
@Suite struct HighlightsTests {
    private func labels(_ body: any AnnouncementBody) -> [String: String] {
        let told = Unhooked.declaration.highlights.compactMap { row in row.label(of: Announcement(body)).map { (row.title, $0) } }
        return Dictionary(uniqueKeysWithValues: told)
    }

    @Test func `what is eaten and bought is told with what it costs`() throws {
        let home = Home(Days("", PieceTime(dayMinutes: PieceTime.realDay), at: Moment(seconds: 0, offset: 0)), .standard)
        let food = try #require(Unhooked.Configuration.standard.foods.first)
        #expect(labels(Meal(food, home)) == ["meals": "\(food.id) −\(food.energy) Energy"])
        #expect(labels(GemsBought(day: 0, product: "", gems: 100, isRefund: false)) == ["Gems": "+100"])
        #expect(labels(GemsBought(day: 0, product: "", gems: 100, isRefund: true)) == ["Gems": "−100"])
        #expect(labels(Recovered(.cure, gems: 1, home.pet, day: 0)) == ["recoveries": "cure"])
    }

    @Test func `how the pet is, and what a day earned, have rows of their own`() throws {
        let time = PieceTime(dayMinutes: PieceTime.realDay)
        let home = Home(Days("", time, at: Moment(seconds: 0, offset: 0)), .standard)
        #expect(labels(try #require(HealthChange(.fellSick, home.pet, day: 0))) == ["health": "\(home.pet.name) is sick"])
        #expect(labels(Grew(stage: .young, fedDays: 3)) == ["growth": "young"])
        let record = DayRecord(day: 4, used: 0, limit: 120, energy: 12, eaten: 0, buff: 0, condition: .healthy, unfedDays: 0)
        let date = try #require(time.date(of: 4))
        #expect(labels(DayOver(record, time)) == ["days": "\(date) +12 Energy"])
        #expect(labels(DayOver(record, PieceTime(dayMinutes: 1))) == ["days": "+12 Energy"])
    }
}
