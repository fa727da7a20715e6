import CPulse
import Synth
import Units

/// The settings of an output through PulseAudio.
public struct PulseSettings: Sendable {
    /// A PulseAudio server string; nil for the user's own ($PULSE_SERVER and the usual places).
    public var server: String?
    /// A sink's name; nil for the default sink.
    public var sink: String?
    /// The length of the audio that the server holds, ready to be overwritten.
    public var queue: Seconds
    /// The latency asked of the sink while a visitor is there: a card is to work in blocks of this length; another sink in a quarter, which
    /// is what a stream of this latency has it do; PipeWire in a half.
    public var sinkLatency: Seconds
    /// The channels of the sink, counted from 1, that drive a transducer and no speaker; used only if the renderer renders for one.
    public var transducers: [Int]
    /// Whether queued audio is overwritten. If not, or if the server cannot do it, `shortQueue` is used.
    public var revises: Bool
    /// The length of the queue with nobody there: twice as long, in half as many steps. A server asked in longer steps would be taken for
    /// one that stands still.
    var idleQueue: Seconds { max(queue, min(Seconds(2 * queue.rawValue), .milliseconds(400))) }
    /// The block asked of the sink when nobody is there.
    static let idleBlock = Seconds.milliseconds(20)
    /// The length of the audio that the server holds where it cannot be overwritten.
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

/// Plays through PulseAudio, or a server that speaks its protocol. Starts without one, and connects when it appears.
public final class PulseOutput: AudioOutput {
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: PulseSettings, bells: Doorbells) {
        let handover = Handover(renderer)
        thread = RenderThread(wokenBy: bells.render) { flag, isRealtime in
            PulseLoop(handover.take(), settings, bells: bells, isRealtime: isRealtime).run(until: flag)
        }
    }

    public func stop() { thread.stop() }

    /// libpulse's words for an error code that came of `settings`.
    public static func describe(_ code: Int32, _ settings: PulseSettings) -> String {
        guard code == Int32(PA_ERR_NOENTITY.rawValue) else { return String(cString: pa_strerror(code)) }
        return settings.sink.map { "it has no sink called \($0)" } ?? "it has no sink"
    }
}

/// The queue and blocks that a server is asked for.
extension PulseSettings {
    /// The block PipeWire is asked for: a power of two, as it takes it.
    func pipeWireBlock(at rate: SampleRate) -> FrameCount {
        var frames: Int64 = 32
        while frames < rate.frames(in: Seconds(sinkLatency.rawValue / 2)).rawValue { frames *= 2 }
        return FrameCount(frames)
    }

    /// The buffer's attributes for libpulse. PulseAudio has the sink work in blocks of what is left of the queue after twice `minreq` (its
    /// traditional mode: protocol-native.c, fix_playback_buffer_attr). A quarter is what a stream gets that asks for a latency. A card
    /// cannot always keep up with that: it runs dry, audibly, until PulseAudio allows it more.
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
