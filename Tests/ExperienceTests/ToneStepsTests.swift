import Experience
import Foundation
import Signals
import Testing
import Units

@Suite struct ToneStepsTests {
    private func steps(seed: UInt64, to blocks: Int) -> ToneSteps {
        var steps = ToneSteps(.standard, seed: seed)
        steps.move(to: blocks)
        return steps
    }

    @Test func `it starts at 240 Hz and near silence`() {
        #expect(steps(seed: 1, to: 0).pitch == Hertz(240))
        #expect(steps(seed: 1, to: 0).level == Decibels(-60))
    }

    @Test func `the level rises by equal decibels over 500 views and then stays`() {
        for (blocks, level) in [(250, -33.0), (125, -46.5), (500, -6), (9_999, -6)] {
            #expect(abs(steps(seed: 5, to: blocks).level.rawValue - level) < 1e-9)
        }
    }

    @Test(arguments: [0, 1, 77, UInt64.max])
    func `the pitch only ever rises and never passes 5 kHz`(seed: UInt64) {
        var last = Hertz(0)
        for blocks in 0...1200 {
            let pitch = steps(seed: seed, to: blocks).pitch
            #expect(pitch >= last && pitch <= Hertz(5000))
            last = pitch
        }
        #expect(last == Hertz(5000))
    }

    @Test func `about a third of the views step, and the cap is reached after about 500`() {
        var atCap: [Int] = []
        var stepping = 0
        for seed in 0..<200 {
            var last = Hertz(240)
            var capped = 0
            for blocks in 1...1500 {
                let pitch = steps(seed: UInt64(seed), to: blocks).pitch
                if pitch != last, blocks <= 300 { stepping += 1 }
                last = pitch
                if pitch == Hertz(5000) {
                    capped = blocks
                    break
                }
            }
            atCap.append(capped)
        }
        // 60,000 draws with p = 1/3: mean 20,000, standard deviation 115.
        #expect(abs(stepping - 20_000) < 600)
        // The mean over 200 seeds; the spread of one is about 35 views.
        let mean = Double(atCap.reduce(0, +)) / 200
        #expect(abs(mean - 500) < 15, "\(mean)")
    }

    @Test func `any way to a number of blocks gives the same pitch, back and forth included`() {
        let straight = steps(seed: 9, to: 321)
        var wandering = ToneSteps(.standard, seed: 9)
        for blocks in [5, 100, 99, 0, 400, 1_000_000, 321] { wandering.move(to: blocks) }
        #expect(wandering == straight)
        var stepwise = ToneSteps(.standard, seed: 9)
        for blocks in 1...321 { stepwise.move(to: blocks) }
        #expect(stepwise == straight)
    }
}

@testable import Experience

@Suite struct SplitMixTests {
    /// The first outputs for seed 1234567 as published with the reference implementation (Vigna, prng.di.unimi.it/splitmix64.c;
    /// the same vector is used by Rosetta Code's "Pseudo-random numbers/Splitmix64").
    @Test func `it is SplitMix64`() {
        let expected: [UInt64] = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
                                  16408922859458223821]
        #expect((1...5).map { splitMix(1_234_567, $0) } == expected)
    }
}
