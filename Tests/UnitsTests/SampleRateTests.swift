import Testing
import Units

@Suite struct SampleRateTests {
    @Test func `rates outside 8 to 192 kHz do not exist`() {
        #expect(SampleRate(7_999) == nil)
        #expect(SampleRate(192_001) == nil)
        #expect(SampleRate(8_000) != nil)
        #expect(SampleRate(192_000) != nil)
    }

    @Test func `times become the nearest whole frame`() {
        #expect(SampleRate.standard.frames(in: .milliseconds(5)) == FrameCount(240))
        #expect(SampleRate.standard.frames(in: Seconds(-1)) == FrameCount(-48_000))
        #expect(SampleRate(44_100)?.frames(in: .milliseconds(5)) == FrameCount(221))
        #expect(SampleRate.standard.frames(in: Seconds(.nan)) == .zero)
        #expect(SampleRate.standard.frames(in: Seconds(.infinity)) == .zero)
    }

    @Test func `nanoseconds become whole frames without overflow over years`() {
        let year: Int64 = 365 * 86_400
        #expect(SampleRate.standard.frames(inNanoseconds: year * 1_000_000_000) == FrameCount(year * 48_000))
        #expect(SampleRate.standard.frames(inNanoseconds: 20_833) == FrameCount(0))
        #expect(SampleRate.standard.frames(inNanoseconds: 20_834) == FrameCount(1))
    }

    @Test func `a phase increment is the frequency in turns of two to the 32`() {
        #expect(SampleRate.standard.phaseIncrement(Hertz(12_000)) == 1 << 30)
        #expect(SampleRate.standard.phaseIncrement(Hertz(0)) == 0)
        #expect(SampleRate.standard.phaseIncrement(Hertz(-5)) == 0)
        #expect(SampleRate.standard.phaseIncrement(Hertz(.nan)) == 0)
        #expect(SampleRate.standard.phaseIncrement(Hertz(1e9)) == 0x7FFF_FFFF)
    }
}
