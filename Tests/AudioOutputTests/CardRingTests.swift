import CAlsa
import Testing
@testable import AudioOutput

/// Frames in a card's memory, by hand: a ring of eight frames in ordinary memory.
@Suite struct CardRingTests {
    private final class Memory {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        let areas = UnsafeMutablePointer<snd_pcm_channel_area_t>.allocate(capacity: 4)

        /// Each channel's samples follow the other channels' of the same frame, or each other.
        init(channels: Int, bits: Int, isInterleaved: Bool) {
            bytes.initializeMemory(as: UInt8.self, repeating: 0x55, count: 256)
            for channel in 0..<channels {
                areas[channel] = isInterleaved
                    ? snd_pcm_channel_area_t(addr: bytes, first: UInt32(channel * bits), step: UInt32(channels * bits))
                    : snd_pcm_channel_area_t(addr: bytes + channel * 64, first: 0, step: UInt32(bits))
            }
        }

        deinit {
            bytes.deallocate()
            areas.deallocate()
        }

        func values<Value: BitwiseCopyable>(_ count: Int, as _: Value.Type) -> [Value] {
            (0..<count).map { bytes.load(fromByteOffset: $0 * MemoryLayout<Value>.size, as: Value.self) }
        }
    }

    private func put(_ samples: [Float], channels: Int = 1, in ring: CardRing, at position: Int64) {
        samples.withUnsafeBufferPointer { ring.put($0, channels: channels, at: position) }
    }

    /// Whole samples are round(x·(2^(bits−1)−1)), to the nearest even, by hand.
    @Test func `samples of 16, 24 and 32 bits are those of files, and floats are as they are`() {
        let samples: [Float] = [0, 0.5, -1, 2]
        let short = Memory(channels: 1, bits: 16, isInterleaved: true)
        put(samples, in: CardRing(size: 8, format: .s16, feeds: [0], areas: short.areas), at: 0)
        #expect(short.values(4, as: Int16.self) == [0, 16_384, -32_767, 32_767])
        let middle = Memory(channels: 1, bits: 32, isInterleaved: true)
        put(samples, in: CardRing(size: 8, format: .s24, feeds: [0], areas: middle.areas), at: 0)
        #expect(middle.values(4, as: Int32.self) == [0, 4_194_304, -8_388_607, 8_388_607])
        let long = Memory(channels: 1, bits: 32, isInterleaved: true)
        put(samples, in: CardRing(size: 8, format: .s32, feeds: [0], areas: long.areas), at: 0)
        #expect(long.values(4, as: Int32.self) == [0, 4_194_304 << 8, -8_388_607 << 8, 8_388_607 << 8])
        let float = Memory(channels: 1, bits: 32, isInterleaved: true)
        put(samples, in: CardRing(size: 8, format: .float32, feeds: [0], areas: float.areas), at: 0)
        #expect(float.values(4, as: Float.self) == samples)
    }

    /// 4,194,304 is 0x400000; −8,388,607 is 0x800001, and 8,388,607 is 0x7FFFFF, the lowest byte first.
    @Test func `samples of 24 bits may lie in three bytes each, side by side`() {
        let memory = Memory(channels: 2, bits: 24, isInterleaved: true)
        let ring = CardRing(size: 8, format: .s24in3, feeds: [0, 1], areas: memory.areas)
        put([0.5, -1, 2, 0], channels: 2, in: ring, at: 7)
        #expect(memory.values(6, as: UInt8.self) == [0xFF, 0xFF, 0x7F, 0, 0, 0])
        #expect(Array(memory.values(54, as: UInt8.self)[42...]) == [0, 0, 0x40, 0x01, 0, 0x80] + Array(repeating: 0x55, count: 6))
        ring.clear(8, from: 0)
        #expect(memory.values(48, as: UInt8.self).allSatisfy { $0 == 0 })
    }

    @Test func `frames go around the ring's end, to every speaker`() {
        let memory = Memory(channels: 2, bits: 16, isInterleaved: true)
        let ring = CardRing(size: 8, format: .s16, feeds: [0, 0], areas: memory.areas)
        ring.clear(8, from: 0)
        put([1, -1, 1], in: ring, at: 14)
        #expect(memory.values(16, as: Int16.self)
            == [32_767, 32_767, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32_767, 32_767, -32_767, -32_767])
        ring.clear(3, from: 6)
        #expect(memory.values(16, as: Int16.self).allSatisfy { $0 == 0 })
    }

    @Test func `a transducer has its own samples, a subwoofer none, also where each channel has memory of its own`() {
        let memory = Memory(channels: 3, bits: 32, isInterleaved: false)
        let ring = CardRing(size: 8, format: .float32, feeds: [0, nil, 1], areas: memory.areas)
        ring.clear(8, from: 0)
        put([0.25, 0.5, 0.75, 1], channels: 2, in: ring, at: 0)
        let values = memory.values(48, as: Float.self)
        #expect(Array(values[0..<3]) == [0.25, 0.75, 0] && values[16..<24].allSatisfy { $0 == 0 } && Array(values[32..<35]) == [0.5, 1, 0])
    }

    @Test(arguments: [CardFault.isPlugin, .lacksFormats, .lacksRate, .lacksChannels, .standsStill, .library(-16)])
    func `a fault goes through its code`(fault: CardFault) { #expect(CardFault(code: fault.code) == fault) }
}
