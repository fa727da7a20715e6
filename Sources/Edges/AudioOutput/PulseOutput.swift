import CPulse
import Synth
import Units

/// Where and how to play.
public struct PulseSettings: Sendable {
    /// A PulseAudio server string; nil for the user's own ($PULSE_SERVER and the usual places).
    public var server: String?
    /// A sink's name; nil for the default sink.
    public var sink: String?
    /// How much audio the server holds, ready to be overwritten.
    public var queue: Seconds
    /// What the sink is asked for while a visitor is there: a card is to work in blocks of this; a sink that is none, of a
    /// quarter, which is what a stream of this latency has it do; PipeWire, of a half.
    public var sinkLatency: Seconds
    /// Channels of the sink, from 1, with a transducer in place of a speaker; only if the renderer renders for one.
    public var transducers: [Int]
    /// Whether queued audio is overwritten. If not, or if the server does not do it, `shortQueue` is used.
    public var revises: Bool
    /// With nobody there, twice the queue in half as many steps. A server that is asked in longer steps would be taken for one that stands
    /// still.
    var idleQueue: Seconds { max(queue, min(Seconds(2 * queue.rawValue), .milliseconds(400))) }
    /// The blocks the sink works in when nobody is there, as far as we are concerned.
    static let idleBlock = Seconds.milliseconds(20)
    /// How much audio the server holds where it cannot be overwritten.
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
    private let flag = StopFlag()
    private let bells: Doorbells
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: PulseSettings, bells: Doorbells) {
        let handover = Handover(renderer)
        self.bells = bells
        thread = RenderThread { [flag] isRealtime in
            PulseLoop(handover.take(), settings, bells: bells, isRealtime: isRealtime).run(until: flag)
        }
    }

    public func stop() {
        flag.raise()
        bells.render.ring()
        thread.join()
    }

    /// libpulse's words for an error code that came of `settings`.
    public static func describe(_ code: Int32, _ settings: PulseSettings) -> String {
        guard code == Int32(PA_ERR_NOENTITY.rawValue) else { return String(cString: pa_strerror(code)) }
        return settings.sink.map { "it has no sink called \($0)" } ?? "it has no sink"
    }
}
