import Foundation
import Testing
import TestSupport
@testable import Unhooked

@Suite struct EnergyTests {
    /// round(150 · (1 − r)^γ) of Foundation's pow; one of the two neighbours where it lies within 10⁻⁹ of a half.
    private func isClosedForm(_ energy: Int, rest: Double, gamma: Double) -> Bool {
        let exact = 150 * pow(max(0, rest), gamma)
        if abs(exact - exact.rounded(.down) - 0.5) < 1e-9 { return Double(energy) == exact.rounded(.down) || Double(energy) == exact.rounded(.up) }
        return Double(energy) == exact.rounded()
    }

    @Test func `Energy is the closed form for 100,000 ratios and exponents`() {
        var draws = TestSupport.SplitMix64(seed: 20)
        var wrong = 0
        let edges = [0, 1, 0x1p-52, 1 - 0x1p-53, -0.5, 0.5, 1e-300, 2.0]
        let gammas = [0, 0.25, 0.5, 1, 1.5, 2, 3, 4]
        for rest in edges where rest <= 1 {
            for gamma in gammas where !isClosedForm(EnergyAward.energy(rest: rest, gamma: gamma), rest: rest, gamma: gamma) { wrong += 1 }
        }
        for _ in 0..<100_000 {
            let rest = 1 - Double(draws.next() >> 11) * 0x1p-53 * 1.2
            let gamma = 0.25 + Double(draws.next() % 3_751) / 1_000
            if !isClosedForm(EnergyAward.energy(rest: rest, gamma: gamma), rest: rest, gamma: gamma) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// Halves upward, in whole numbers: 2E − 1 ≤ 300·(1 − r) < 2E + 1.
    @Test func `with γ = 1 it is exact for every minute and every pair of days`() {
        var wrong = 0
        for limit in [1, 7, 60, 97, 120, 720, 1_440] {
            for minutes in 0...1_440 {
                let energy = EnergyAward.energy([DayUse(minutes: minutes, limit: limit)], gamma: 1)
                let rest = max(0, limit - minutes) * 300
                if !(rest >= (2 * energy - 1) * limit && rest < (2 * energy + 1) * limit) { wrong += 1 }
            }
        }
        var draws = TestSupport.SplitMix64(seed: 21)
        for _ in 0..<50_000 {
            let days = (0..<2).map { _ in DayUse(minutes: Int(draws.next() % 300), limit: 1 + Int(draws.next() % 300)) }
            let energy = EnergyAward.energy(days, gamma: 1)
            let (a, b) = (days[0], days[1])
            let rest = max(0, (2 * a.limit * b.limit - a.minutes * b.limit - b.minutes * a.limit) * 300)
            let whole = 2 * a.limit * b.limit
            if !(rest >= (2 * energy - 1) * whole && rest < (2 * energy + 1) * whole) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func `the mean is of two days, and of one where the day before was not reported`() throws {
        #expect(EnergyAward.energy([DayUse(minutes: 30, limit: 120), DayUse(minutes: 90, limit: 120)], gamma: 1) == 75)
        #expect(EnergyAward.energy([DayUse(minutes: 30, limit: 120)], gamma: 1) == 113, "112.5")
        #expect(EnergyAward.energy([DayUse(minutes: 0, limit: 60), DayUse(minutes: 240, limit: 60)], gamma: 1) == 0)
        #expect(EnergyAward.energy([], gamma: 1) == 0)
    }

    @Test func `it is awarded at the reset, once, and not for a day that was not reported`() throws {
        var owner = Owner()
        #expect(owner.balance(.energyWallet) == 150, "the welcome")
        try owner.report(30)
        try owner.report(20)
        #expect(owner.state.usedMinutes == 30 && owner.state.energyDue == 113)
        owner.wait(days: 1)
        #expect(owner.balance(.energyWallet) == 263 && owner.said(DayOver.self).map(\.energy) == [113])
        #expect(owner.ledger.filter { $0.kind == "award" }.map(\.key).count == 1)
        owner.restart()
        owner.wait(days: 1)
        #expect(owner.balance(.energyWallet) == 263 && owner.said(DayOver.self).map(\.usedMinutes) == [nil])
        try owner.report(90)
        owner.wait(days: 1)
        #expect(owner.balance(.energyWallet) == 301, "a quarter of 150, because the day before has no ratio")
        try owner.report(30)
        owner.wait(days: 1)
        #expect(owner.balance(.energyWallet) == 376, "half of 150, of 90 and 30 minutes")
    }

    @Test func `days that a wrong clock has ended earn when they come, and none is awarded twice`() throws {
        var owner = Owner()
        try owner.report(60)
        // It is four days ahead: today is awarded, and three days that nobody lived are over.
        owner.setClock(by: 4 * 86_400)
        #expect(owner.balance(.energyWallet) == 225 && owner.home.history.map(\.energy) == [75, 0, 0, 0])
        owner.setClock(by: -4 * 86_400)
        #expect(owner.home.day == owner.day)
        for earned in [0, 75, 75, 75] {
            try owner.report(60)
            owner.wait(days: 1)
            #expect(owner.said(DayOver.self).map(\.energy) == [earned])
        }
        // Again, over days that were awarded.
        owner.setClock(by: -4 * 86_400)
        for _ in 0..<4 {
            try owner.report(60)
            owner.wait(days: 1)
        }
        #expect(owner.balance(.energyWallet) == 225 + 3 * 75 && owner.home.history.map(\.energy) == [75, 75, 75, 75])
        #expect(owner.ledger.filter { $0.kind == "award" }.count == 4)
    }

    @Test func `a limit that is chosen after a report counts from the next day on`() throws {
        var owner = Owner()
        try owner.act("limit", ["minutes": .integer(60)])
        #expect(owner.state.limitMinutes == 60 && owner.state.nextLimitMinutes == nil)
        try owner.report(30)
        try owner.act("limit", ["minutes": .integer(720)])
        #expect(owner.state.limitMinutes == 60 && owner.state.nextLimitMinutes == 720 && owner.state.energyDue == 75)
        owner.wait(days: 1)
        #expect(owner.said(DayOver.self).map(\.energy) == [75] && owner.state.limitMinutes == 720)
    }
}
