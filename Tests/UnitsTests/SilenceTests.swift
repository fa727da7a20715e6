import Testing
import Units

@Suite struct SilenceTests {
    private func isSilent(_ samples: [Float]) -> Bool { samples.span.isSilent }

    @Test func `samples are silence if every one is 0, whatever its sign`() {
        #expect(isSilent([]))
        for count in [1, 63, 64, 65, 200] {
            var samples = [Float](repeating: 0, count: count)
            #expect(isSilent(samples))
            samples[count / 2] = -0.0
            #expect(isSilent(samples))
            for index in [0, count / 2, count - 1] {
                var loud = samples
                loud[index] = -.leastNonzeroMagnitude
                #expect(!isSilent(loud), "\(index) of \(count)")
            }
        }
    }
}
