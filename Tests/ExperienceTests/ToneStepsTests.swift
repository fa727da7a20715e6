import Experience
import Foundation
import Signals
import Testing
import Units

/// Two octaves up and two down.
private let hill = ToneCurve(points: [
    .init(views: 0, frequency: Hertz(220), level: Decibels(-40)), .init(views: 400, frequency: Hertz(880), level: Decibels(-10)),
    .init(views: 800, frequency: Hertz(220), level: Decibels(-25)),
])

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

    @Test(arguments: [ToneCurve.standard, hill])
    func `any way to a number of blocks gives the same pitch, back and forth included`(curve: ToneCurve) {
        var straight = ToneSteps(curve, seed: 9)
        straight.move(to: 321)
        var wandering = ToneSteps(curve, seed: 9)
        for blocks in [5, 100, 99, 0, 400, 1_000_000, 321] { wandering.move(to: blocks) }
        #expect(wandering == straight)
        var stepwise = ToneSteps(curve, seed: 9)
        for blocks in 1...321 { stepwise.move(to: blocks) }
        #expect(stepwise == straight)
    }

    @Test func `through points the level goes by equal decibels from each to the next, and stays after the last`() {
        for (blocks, level) in [(0, -40.0), (100, -32.5), (400, -10), (480, -13), (800, -25), (9_999, -25)] {
            var steps = ToneSteps(hill, seed: 3)
            steps.move(to: blocks)
            #expect(abs(steps.level.rawValue - level) < 1e-9)
        }
    }

    /// Of v blocks the way has the mean v. Each has a step with a chance of 1/3, whose square has the mean 9 · 13/12: the variance of the way
    /// is 2.25 v. A block is 0.06 semitones here.
    @Test func `the mean pitch goes through the points, by equal musical steps`() {
        var sums = [200: 0.0, 600: 0.0]
        for seed in 0..<400 {
            var steps = ToneSteps(hill, seed: UInt64(seed))
            for blocks in [200, 600] {
                steps.move(to: blocks)
                sums[blocks, default: 0] += 12 * Units.log2(steps.pitch.rawValue / 220)
            }
        }
        // Five standard deviations of the mean.
        #expect(abs(sums[200, default: 0] / 400 - 12) < 0.06 * 5 * (2.25 * 200 / 400).squareRoot())
        #expect(abs(sums[600, default: 0] / 400 - 12) < 0.06 * 5 * (2.25 * 600 / 400).squareRoot())
    }

    @Test(arguments: [0, 1, 77, UInt64.max])
    func `the pitch never leaves the points' range, moves in a third of the views, and comes to rest at the last`(seed: UInt64) {
        var steps = ToneSteps(hill, seed: seed)
        var moves = 0
        for blocks in 1...1_500 {
            let before = steps.pitch
            steps.move(to: blocks)
            #expect(steps.pitch >= Hertz(220) && steps.pitch <= Hertz(880))
            if blocks <= 300, steps.pitch != before { moves += 1 }
        }
        // 300 draws with p = 1/3: mean 100, standard deviation 8.2.
        #expect(abs(moves - 100) < 42)
        #expect(steps.pitch == Hertz(220))
    }

    @Test func `a theme whose curve goes through points takes the tone to where it would be`() {
        var steps = ToneSteps(.standard, seed: 9)
        steps.move(to: 321)
        var other = ToneSteps(hill, seed: 9)
        other.move(to: 321)
        let cues = steps.cues(changingTo: hill)
        #expect(steps == other && cues == [.tonePitch(other.pitch, glide: .milliseconds(50)), .toneLevel(other.level)])
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
