import CPulse
import Units

/// What a server is asked to hold of a stream, and in what blocks.
extension PulseSettings {
    /// The block PipeWire is asked for: a power of two, as it takes it.
    func pipeWireBlock(at rate: SampleRate) -> FrameCount {
        var frames: Int64 = 32
        while frames < rate.frames(in: Seconds(sinkLatency.rawValue / 2)).rawValue { frames *= 2 }
        return FrameCount(frames)
    }

    /// PulseAudio has the sink work in blocks of what is left of the queue after twice `minreq` (its traditional mode:
    /// protocol-native.c, fix_playback_buffer_attr). A quarter is what a stream gets that asks for a latency. A card cannot
    /// always keep up with that: it runs dry, audibly, until PulseAudio allows it more.
    func attributes(isRevising: Bool, isAttended: Bool, isPipeWire: Bool, isHardware: Bool, rate: SampleRate, frameBytes: Int)
        -> pa_buffer_attr {
        let held = isAttended || isPipeWire ? queue : idleQueue
        let queue = (isRevising ? held : Self.shortQueue).rawValue
        let block = isAttended ? sinkLatency.rawValue / (isHardware ? 1 : 4) : Self.idleBlock.rawValue
        let request = isRevising ? isPipeWire ? queue / 4 : max(queue / 4, (queue - block) / 2) : queue / 4
        func bytes(_ seconds: Double) -> UInt32 { UInt32(Int(rate.frames(in: Seconds(seconds)).rawValue) * frameBytes) }
        return pa_buffer_attr(maxlength: .max, tlength: bytes(queue), prebuf: 0, minreq: bytes(request), fragsize: .max)
    }
}
