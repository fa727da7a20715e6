import Households
import Testing

/// Households of many kinds against the rules written down a second time (`HouseholdModel`). `scripts/try-households` goes through 10,000.
@Suite struct ModelTests {
    /// The ninth has a day of 10 minutes.
    @Test func `health, shields, use, bands, midnights and messages are those of the model, through restarts`() throws {
        let texts = try MessageTexts()
        #expect(texts.count == 280)
        var tally = Household.Tally()
        for number in 0..<9 as Range<UInt64> { tally += try Household.live(number, days: 10, texts: texts) }
        #expect(tally.days >= 81 && tally.restarts > 0 && tally.bypasses > 0)
    }
}
