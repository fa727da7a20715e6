import CPulse
import Synth
import Units

/// The settings of an output through PulseAudio.
public struct PulseSettings: Sendable {
    /// The PulseAudio server string; nil for the user's own server ($PULSE_SERVER and the usual places).
    public var server: String?
    /// The name of a sink; nil for the default sink.
    public var sink: String?
    /// The length of the audio that the server holds, and that can still be overwritten.
    public var queue: Seconds
    /// The latency that is requested of the sink while the output is in use. With it, a card should use blocks of this length, PipeWire
    /// blocks of half of it, and any other sink blocks of a quarter.
    public var sinkLatency: Seconds
    /// The channels of the sink, counted from 1, that drive a transducer instead of a speaker. Used only if the renderer renders for one.
    public var transducers: [Int]
    /// Whether queued audio is overwritten. If not, or if the server cannot do that, the queue has the length `shortQueue`.
    public var revises: Bool
    /// The length of the queue while nobody is present. It is twice as long, and is refilled half as often. A server that refills it less
    /// often would count as stuck.
    var idleQueue: Seconds { max(queue, min(Seconds(2 * queue.rawValue), .milliseconds(400))) }
    /// The block that is requested of the sink when nobody is there.
    static let idleBlock = Seconds.milliseconds(20)
    /// The length of the audio that the server holds if it cannot be overwritten.
    public static let shortQueue = Seconds.milliseconds(20)

    public init(server: String?, sink: String?, queue: Seconds, sinkLatency: Seconds, transducers: [Int], revises: Bool) {
        self.server = server
        self.sink = sink
        self.queue = queue
        self.sinkLatency = sinkLatency
        self.transducers = transducers
        self.revises = revises
    }
}

/// Plays through PulseAudio, or a server with the same protocol. Without a server it waits, and connects when one appears.
public final class PulseOutput: AudioOutput {
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: PulseSettings, bells: Doorbells) {
        let handover = Handover(renderer)
        thread = RenderThread(wokenBy: bells.render) { flag, isRealtime in
            PulseLoop(handover.take(), settings, bells: bells, isRealtime: isRealtime).run(until: flag)
        }
    }

    public func stop() { thread.stop() }

    /// Returns libpulse's words for an error code that occurred with `settings`.
    public static func describe(_ code: Int32, _ settings: PulseSettings) -> String {
        guard code == Int32(PA_ERR_NOENTITY.rawValue) else { return String(cString: pa_strerror(code)) }
        return settings.sink.map { "it has no sink called \($0)" } ?? "it has no sink"
    }
}

/// The queue and blocks that are requested of a server.
extension PulseSettings {
    /// Returns the block that is requested of PipeWire, which must be a power of two.
    func pipeWireBlock(at rate: SampleRate) -> FrameCount {
        var frames: Int64 = 32
        while frames < rate.frames(in: Seconds(sinkLatency.rawValue / 2)).rawValue { frames *= 2 }
        return FrameCount(frames)
    }

    /// Returns the buffer attributes for libpulse. The size of the sink's blocks follows from them: PulseAudio subtracts twice `minreq`
    /// from the queue, and uses the rest (its traditional mode: protocol-native.c, fix_playback_buffer_attr). For a stream that requests a
    /// latency, the blocks are a quarter of that latency. A card cannot always keep up with so small blocks: it runs dry, audibly, until
    /// PulseAudio gives it larger ones.
    func attributes(isRevising: Bool, isInUse: Bool, isPipeWire: Bool, isHardware: Bool, rate: SampleRate, frameBytes: Int)
        -> pa_buffer_attr {
        let held = isInUse || isPipeWire ? queue : idleQueue
        let queue = (isRevising ? held : Self.shortQueue).rawValue
        let block = isInUse ? sinkLatency.rawValue / (isHardware ? 1 : 4) : Self.idleBlock.rawValue
        let request = isRevising ? isPipeWire ? queue / 4 : max(queue / 4, (queue - block) / 2) : queue / 4
        func bytes(_ seconds: Double) -> UInt32 { UInt32(Int(rate.frames(in: Seconds(seconds)).rawValue) * frameBytes) }
        return pa_buffer_attr(maxlength: .max, tlength: bytes(queue), prebuf: 0, minreq: bytes(request), fragsize: .max)
    }
}
