import Testing
@testable import AudioOutput

@Suite struct ChannelMapTests {
    /// Frames of 1 for the sound and 2 for the transducer, as they are laid out.
    private func frame(_ map: ChannelMap) -> [Float] {
        var samples = [Float](repeating: 0, count: map.count)
        var span = samples.mutableSpan
        map.fill(&span, count: 1) { rendered in
            rendered[0] = 1
            if rendered.count > 1 { rendered[1] = 2 }
        }
        return samples
    }

    @Test func `without transducers there is one channel, for the server to spread`() {
        let map = ChannelMap(transducers: [], sinkChannels: 6)
        #expect(map.isMono && frame(map) == [1])
    }

    @Test func `every channel of the sink that has no transducer is a speaker`() {
        #expect(frame(ChannelMap(transducers: [3, 4], sinkChannels: 4)) == [1, 1, 2, 2])
        #expect(frame(ChannelMap(transducers: [4], sinkChannels: 6)).prefix(6) == [1, 1, 1, 2, 1, 1])
        #expect(frame(ChannelMap(transducers: [1], sinkChannels: 0)) == [2, 1])
    }

    /// libpulse refuses negative offsets of frames of other lengths.
    @Test func `frames are a power of two long`() {
        for sinkChannels in 1...8 {
            for transducer in 1...8 {
                let count = ChannelMap(transducers: [transducer], sinkChannels: sinkChannels).count
                #expect([2, 4, 8].contains(count) && count >= sinkChannels && count >= transducer)
            }
        }
    }
}
