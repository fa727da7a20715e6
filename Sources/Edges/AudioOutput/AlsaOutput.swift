import CAlsa
import Synth
import Units

/// Which card to play on, and how.
public struct AlsaSettings: Sendable {
    /// A name of ALSA's for a card's own device, such as `hw:CARD=PCH,DEV=0`. Names of plugins (`default`, `plughw`, `dmix`) are refused:
    /// what they have taken cannot be overwritten.
    public var device: String
    /// How much audio the card's ring holds, ready to be overwritten, while a visitor is there.
    public var queue: Seconds
    /// The same with nobody there, so that the thread wakes up seldom. Filled a quarter above this, a change can still go back to the
    /// beginning (`Renderer.reach`).
    var idleQueue: Seconds { max(queue, min(Seconds(3 * queue.rawValue), Seconds(0.8 * Renderer.reach.rawValue))) }
    /// Channels of the card, from 1, with a transducer in place of a speaker; only if the renderer renders for one.
    public var transducers: [Int]

    /// The first card's first device.
    public static let standardDevice = "hw:0"

    public init(device: String?, queue: Seconds, transducers: [Int]) {
        self.device = device ?? Self.standardDevice
        self.queue = queue
        self.transducers = transducers
    }
}

/// Plays straight on a sound card, without a sound server. Starts without the card, and plays when it is there and free.
public final class AlsaOutput: AudioOutput {
    private let flag = StopFlag()
    private let bells: Doorbells
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: AlsaSettings, bells: Doorbells) {
        let handover = Handover(renderer)
        self.bells = bells
        thread = RenderThread { [flag] isRealtime in
            AlsaLoop(handover.take(), settings, bells: bells, isRealtime: isRealtime).run(until: flag)
        }
    }

    public func stop() {
        flag.raise()
        bells.render.ring()
        thread.join()
    }

    /// The card's rate that is nearest to `wanted`; nil if the card is missing, busy or behind a plugin. Opens it for a moment. Thread:
    /// any.
    public static func rate(of device: String, near wanted: SampleRate) -> SampleRate? {
        thrum_alsa_print_nothing()
        var opened: OpaquePointer?
        guard snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) >= 0, let pcm = opened else { return nil }
        defer { snd_pcm_close(pcm) }
        return snd_pcm_type(pcm) == SND_PCM_TYPE_HW ? CardConfiguration.rate(of: pcm, near: wanted) : nil
    }

    /// Words for an error code of the report. Asks the system which cards there are, where the card is missing.
    public static func describe(_ code: Int32, _ settings: AlsaSettings) -> String { CardFault(code: code).words(settings) }
}
