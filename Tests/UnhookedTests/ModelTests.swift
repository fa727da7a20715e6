import PetHouseholds
import Testing

/// Households of many kinds against the rules written down a second time (`PetModel`). `scripts/try-pets` goes through 10,000.
@Suite struct ModelTests {
    /// The ninth and the eighteenth have a day of 10 minutes.
    @Test func `health, Energy, buffs, limits, cooldowns, windows and movements are those of the model, through restarts`() throws {
        var tally = PetHousehold.Tally()
        for number in 0..<18 as Range<UInt64> { tally += try PetHousehold.live(number, days: 60) }
        // Whatever the model is about has been, but for a buff at its cap, which is rare: RulesTests has that.
        #expect(tally.days > 800)
        let counts = [tally.restarts, tally.repeats, tally.limited]
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
        for sight in ["sick", "dead", "healthy", "cure", "revive", "restart", "refund"] { #expect(tally.sights[sight, default: 0] > 0, "\(sight)") }
    }

    @Test func `the house's pet of a walk-up is that of the model: it earns at once, is not starved by closed days, and lives again`() throws {
        var tally = PetHousehold.Tally()
        for number in 0..<18 as Range<UInt64> { tally += try PetHousehold.live(number, days: 60, isWalkUp: true) }
        #expect(tally.days > 600 && tally.restarts > 0 && tally.repeats > 0)
        for sight in ["sick", "dead", "healthy", "cure", "revived by the house"] { #expect(tally.sights[sight, default: 0] > 0, "\(sight)") }
    }
}
