import Experience
import Fields
import Foundation
@testable import ScrollKitty
import Signals
import Testing
import TestSupport

/// Households of many kinds against the rules written down a second time (`HouseholdModel`). THRUM_HOUSEHOLDS sets their number, 10,000 for
/// the whole; THRUM_DAYS the days of each.
@Suite struct ModelTests {
    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    /// 10 days around a change of the clocks, or as many as are asked for.
    @Test func `health, locks, cooldowns, windows, bands and midnights are those of the model, through restarts`() throws {
        let days = Self.number("THRUM_DAYS", 10)
        for seed in 0..<UInt64(Self.number("THRUM_HOUSEHOLDS", 8)) { try live(seed, days) }
    }

    private func live(_ seed: UInt64, _ days: Int) throws {
        var draws = TestSupport.SplitMix64(seed: seed)
        func below(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }
        let zone = seed % 2 == 0 ? Zone.berlin : .newYork
        let isPerApp = seed / 2 % 2 == 0
        // Clocks go forward on 8 March in New York and on 29 March in Berlin, and back on 1 November and 25 October.
        let changes = seed / 4 % 2 == 0 ? [1_774_746_000, 1_772_953_200] : [1_792_890_000, 1_793_512_800]
        let start = changes[Int(seed % 2)] - (1 + below(days - 2)) * 86_400 + below(86_400)
        let count = isPerApp ? 1 + below(10) : 1 + below(4)
        let cooldown = [10, 20, 30, 45, 60][below(5)]
        let apps = (0..<count).map { "App \($0)" }
        var hours: [(Int, Int)?] = Array(repeating: (0, 1_440), count: 7)
        var keeper = Keeper(at: Double(start - newYear), zone: zone, seed: seed, knobs: isPerApp ? perApp : .standard)
        let knobs = isPerApp ? perApp : KnobSettings.standard
        try keeper.act("kitty.apps", ["apps": .list(apps.map { .text($0) })])
        try keeper.act("kitty.cooldown", ["minutes": .integer(Int64(cooldown))])
        for (index, name) in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].enumerated() where below(3) == 0 {
            if below(4) == 0 {
                hours[index] = nil
                try keeper.act("kitty.window", ["days": .text(name)])
            } else {
                let (from, to) = (below(24), below(24))
                hours[index] = (from * 60, to * 60)
                func face(_ hour: Int) -> JSONValue { .text((hour < 10 ? "0" : "") + "\(hour):00") }
                try keeper.act("kitty.window", ["days": .text(name), "from": face(from), "until": face(to)])
            }
        }
        var model = HouseholdModel(at: start, zone: zone, isPerApp: isPerApp, apps: count, cooldown: cooldown, window: hours)
        var told: [DaySummary] = []
        var bands: [[Int]] = [[]]
        let most = [900, 3_600, 10_800][below(3)]
        while model.now < start + days * 86_400 {
            let pause = 1 + below(most)
            if below(20) == 0 {
                keeper.restart(after: Double(pause), knobs: knobs)
            } else {
                keeper.wait(Double(pause))
            }
            model.live(until: model.now + pause)
            let ended = keeper.said(DaySummary.self)
            told += ended
            for _ in ended { bands.append([]) }
            let app = below(count)
            let was: HouseholdModel.Answer
            do {
                was = try keeper.bypass(apps[app]).ledger.isEmpty ? .free : .lost
            } catch { was = .refused }
            bands[bands.count - 1] += keeper.said(Lost.self).flatMap(\.bands)
            try #require(was == model.bypass(app), "household \(seed) at \(model.now)")
            let health = keeper.cat.health
            try #require(health.shares.map { $0 * (isPerApp ? count : 1) } == model.health.map { $0 * Health.partsPerPoint }, "household \(seed)")
            for index in apps.indices {
                let shield = keeper.cat.shield(of: index, at: keeper.moment)
                try #require((shield == .open) == model.isOpen(index) && (shield == .locked) == model.isLocked(index), "household \(seed)")
            }
        }
        #expect(told.map(\.figures.day) == model.days.map(\.day) && told.count >= days - 1, "household \(seed)")
        #expect(told.map(\.figures.bypasses) == model.days.map(\.bypasses), "household \(seed)")
        #expect(told.map(\.figures.useMinutes) == model.days.map { (Double($0.use) / 6).rounded() / 10 }, "household \(seed)")
        #expect(bands.dropLast() == model.days.map(\.bands)[...], "household \(seed)")
    }
}
