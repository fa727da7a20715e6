import Testing
import Units

@testable import AudioOutput

/// 48 kHz: a block of 60 frames is 1.25 ms long. Numbers are by hand, from PulseAudio's rule.
@Suite struct StepForecastTests {
    private static let doubt: Int64 = 200_000

    /// A sink has taken all before `read`, and takes the next step `held` later.
    private func answer(read: Int64, at moment: Int64, held: Int64 = 700_000) -> Timing {
        Timing(read: read, written: 100_000, held: held, moment: moment)
    }

    /// Has been told `answers` times of a sink with blocks of 60 frames, some 15 ms apart; and what it was told last.
    private func told(_ answers: Int, held: Int64 = 700_000) -> (forecast: StepForecast, last: Timing) {
        var forecast = StepForecast(rate: .standard)
        forecast.wrote(from: 0)
        var last = answer(read: 0, at: 0, held: held)
        forecast.observe(last, doubt: Self.doubt)
        for number in 1...answers {
            // Twelve steps and thirteen in turn, which have a block in common.
            let steps = Int64(number / 2 * 25 + number % 2 * 12)
            let next = answer(read: steps * 60, at: steps * 1_250_000, held: held)
            forecast.observe(next, doubt: Self.doubt)
            last = next
        }
        return (forecast, last)
    }

    @Test func `all steps are foretold after eight answers that were as foretold`() {
        let (early, _) = told(7)
        #expect(early.read(at: 110_000_000) == nil)
        let (forecast, last) = told(8)
        #expect(last.read == 6_000)
        let steps: [(Double, Int64)] = [(0.6, 6_000), (0.8, 6_060), (1.9, 6_060), (2, 6_120), (20.6, 6_960), (20.8, 7_020)]
        for (milliseconds, read) in steps {
            #expect(forecast.read(at: last.moment + Int64(milliseconds * 1e6)) == read)
        }
        #expect(forecast.read(at: last.moment + 100_000_000) == nil, "that is too far ahead")
    }

    @Test func `a step goes on into the next write for up to a whole block`() {
        let (learned, last) = told(8)
        var forecast = learned
        forecast.wrote(from: 6_030)
        // 30 frames of one write and 60 of the other, in one step, which lasts 1.875 ms.
        #expect(forecast.read(at: last.moment + 800_000) == 6_090)
        #expect(forecast.read(at: last.moment + 2_500_000) == 6_090)
        #expect(forecast.read(at: last.moment + 2_600_000) == 6_150)
        #expect(forecast.moment(of: 6_090) == last.moment + 700_000 + 1_875_000)
        #expect(forecast.moment(of: 6_060) == nil, "no step begins there")
        // Written anew from further back, that seam is gone.
        forecast.wrote(from: 6_000)
        #expect(forecast.read(at: last.moment + 800_000) == 6_060)
        // Two seams, of which the second is at the end of a block.
        forecast.wrote(from: 6_020)
        forecast.wrote(from: 6_060)
        #expect(forecast.read(at: last.moment + 800_000) == 6_060)
    }

    @Test func `a sink that takes frames in another way is not foretold`() {
        let (learned, last) = told(8)
        var forecast = learned
        // Half a millisecond too soon.
        let odd = answer(read: last.read + 720 + 60, at: last.moment + 15_000_000)
        forecast.observe(odd, doubt: Self.doubt)
        #expect(forecast.read(at: odd.moment) == nil)
        // Whatever it takes at a time: frames that have nothing in common are no steps.
        var card = StepForecast(rate: .standard)
        var before = answer(read: 0, at: 0)
        card.observe(before, doubt: Self.doubt)
        for (number, read) in [701, 1_404, 2_131, 2_833, 3_540, 4_246, 4_959, 5_664, 6_363, 7_082].enumerated() {
            let next = answer(read: Int64(read), at: Int64(number + 1) * 14_700_000)
            card.observe(next, doubt: Self.doubt)
            before = next
        }
        #expect(card.read(at: before.moment) == nil)
    }

    @Test func `an answer that was held up makes no step later`() {
        let (learned, last) = told(8)
        var forecast = learned
        // 0.4 ms late, and so by its word is the next step.
        let heldUp = answer(read: last.read + 720, at: last.moment + 15_400_000)
        forecast.observe(heldUp, doubt: Self.doubt)
        #expect(forecast.read(at: last.moment + 15_800_000) == last.read + 780)
        #expect(forecast.moment(of: last.read + 720) == last.moment + 15_700_000)
        // A step that comes sooner than foretold counts.
        let sooner = answer(read: last.read + 1_440, at: last.moment + 29_900_000)
        forecast.observe(sooner, doubt: Self.doubt)
        #expect(forecast.moment(of: last.read + 1_440) == last.moment + 30_600_000)
    }

    @Test(arguments: [1 << 48, -(1 << 48)])
    func `a server that has lost count ends the forecast at once`(read: Int64) {
        let (learned, last) = told(8)
        var forecast = learned
        forecast.observe(answer(read: read, at: last.moment + 15_000_000), doubt: Self.doubt)
        #expect(forecast.read(at: last.moment + 16_000_000) == nil && forecast.moment(of: last.read + 60) == nil)
    }

    @Test func `after a pause in the answers nothing is foretold until eight more`() {
        let (learned, last) = told(8)
        var forecast = learned
        // A hundred steps later, just as they are due.
        let next = answer(read: last.read + 6_000, at: last.moment + 125_000_000)
        forecast.observe(next, doubt: Self.doubt)
        #expect(forecast.read(at: next.moment) == nil && forecast.moment(of: next.read) == nil)
    }

    @Test func `answers that come in step with the sink do not tell how long its block is`() {
        // 0.1 ms before each twelfth step.
        let (forecast, last) = told(30, held: 100_000)
        #expect(forecast.read(at: last.moment) == nil)
    }

    @Test func `larger blocks are learned anew, and a sink that is late changes nothing`() {
        var (forecast, last) = told(8)
        let (frame, moment) = (last.read, last.moment)
        for number in 1...12 {
            // Blocks of 20 ms, the first after 0.5 ms; answers 23 ms apart.
            let time = Int64(number) * 23_000_000
            let steps = (time - 500_000) / 20_000_000 + 1
            let next = answer(read: frame + steps * 960, at: moment + time, held: 500_000 + steps * 20_000_000 - time)
            forecast.observe(next, doubt: Self.doubt)
            last = next
            let taken = forecast.read(at: last.moment + last.held + 100_000)
            #expect(taken == (number < 9 ? nil : last.read + 960))
        }
        let late = answer(read: last.read, at: last.moment + last.held + 1_000_000, held: 0)
        forecast.observe(late, doubt: Self.doubt)
        #expect(forecast.read(at: late.moment) == last.read + 960, "the step may be taken at any moment")
    }
}
