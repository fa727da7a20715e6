import CAlsa
import Glibc
import Synth
import Units

/// The settings of an output on a card.
public struct AlsaSettings: Sendable {
    /// The ALSA name of a hardware device, such as `hw:CARD=PCH,DEV=0`. Names of plugins (`default`, `plughw`, `dmix`) are refused, because
    /// frames that a plugin has taken cannot be overwritten.
    public var device: String
    /// The length of the audio in the card's ring that may still be overwritten, while the output is in use.
    public var queue: Seconds
    /// The length of the queue while nobody is present. It is longer, so that the thread wakes up seldom. The queue may be overfilled by a
    /// quarter, and even then a change can reach back to its beginning (`Renderer.reach`).
    var idleQueue: Seconds { max(queue, min(Seconds(3 * queue.rawValue), Seconds(0.8 * Renderer.reach.rawValue))) }
    /// The channels of the card, counted from 1, that drive a transducer instead of a speaker. Used only if the renderer renders for one.
    public var transducers: [Int]

    /// The first device of the first card.
    public static let standardDevice = "hw:0"

    public init(device: String?, queue: Seconds, transducers: [Int]) {
        self.device = device ?? Self.standardDevice
        self.queue = queue
        self.transducers = transducers
    }
}

/// Plays directly on a sound card, without a sound server. If the card is missing or busy, it waits until the card can be opened.
public final class AlsaOutput: AudioOutput {
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: AlsaSettings, bells: Doorbells) {
        let handover = Handover(renderer)
        thread = RenderThread(wokenBy: bells.render) { flag, isRealtime in
            AlsaLoop(handover.take(), settings, bells: bells, isRealtime: isRealtime).run(until: flag)
        }
    }

    public func stop() { thread.stop() }

    /// Returns the card's rate that is nearest to `wanted`; nil if the card is missing, busy or behind a plugin. Opens the card for a
    /// moment. Thread: any.
    public static func rate(of device: String, near wanted: SampleRate) -> SampleRate? {
        thrum_alsa_print_nothing()
        var opened: OpaquePointer?
        guard snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) >= 0, let pcm = opened else { return nil }
        defer { snd_pcm_close(pcm) }
        return snd_pcm_type(pcm) == SND_PCM_TYPE_HW ? CardConfiguration.rate(of: pcm, near: wanted) : nil
    }

    /// Returns words for an error code of the report. If the card is missing, it asks the system which cards there are.
    public static func describe(_ code: Int32, _ settings: AlsaSettings) -> String { CardFault(code: code).words(settings) }
}

/// The reason why a card does not play.
enum CardFault: Error, Equatable {
    /// The device is an ALSA plugin.
    case isPlugin
    case lacksFormats
    case lacksRate
    case lacksChannels
    /// The card reports that it plays, but takes no frames.
    case standsStill
    /// An error of libasound, a negative errno.
    case library(Int32)

    private static let own: [CardFault] = [.isPlugin, .lacksFormats, .lacksRate, .lacksChannels, .standsStill]

    /// The code in the output's report: 1 and up for Thrum's own faults, negative for libasound's.
    var code: Int32 {
        if case .library(let code) = self { return code }
        return Int32((Self.own.firstIndex(of: self) ?? 0) + 1)
    }

    init(code: Int32) { self = (1...Int32(Self.own.count)).contains(code) ? Self.own[Int(code) - 1] : .library(code) }

    func words(_ settings: AlsaSettings) -> String {
        switch self {
        case .isPlugin: "\(settings.device) is a plugin of ALSA's, expected a card, \(Self.cards)"
        case .lacksFormats: "\(settings.device) takes none of S16, S24, S24_3LE, S32 and float samples through memory"
        case .lacksRate: "\(settings.device) does not play at this sample rate: the setting rate must be one of the card's"
        case .lacksChannels: "\(settings.device) has no channel \(settings.transducers.max() ?? 1)"
        case .standsStill: "\(settings.device) takes nothing"
        case .library(-EBUSY): "\(settings.device) is busy: another program plays on it, perhaps a sound server"
        case .library(-ENOENT), .library(-ENODEV), .library(-ENXIO): "there is no \(settings.device), expected \(Self.cards)"
        case .library(let code): "\(settings.device): " + (snd_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
    }

    private static var cards: String {
        let cards = CardSurvey.cards()
        guard !cards.isEmpty else { return "a sound card, and there is none" }
        return "one of " + cards.map { "hw:CARD=\($0.id) (\($0.name))" }.joined(separator: ", ")
    }
}

/// Throws `code`, which libasound has returned, as a `CardFault` if it is an error, that is negative.
func check(_ code: Int32) throws(CardFault) { if code < 0 { throw .library(code) } }

/// The sound cards of this machine.
enum CardSurvey {
    struct Card: Equatable {
        /// ALSA's identifier of the card, which does not change when other cards come and go.
        var id: String
        var name: String
    }

    static func cards() -> [Card] {
        var cards: [Card] = []
        var number: Int32 = -1
        while snd_card_next(&number) >= 0, number >= 0 {
            var control: OpaquePointer?
            guard snd_ctl_open(&control, "hw:\(number)", SND_CTL_NONBLOCK) >= 0, let control else { continue }
            defer { snd_ctl_close(control) }
            var info: OpaquePointer?
            guard snd_ctl_card_info_malloc(&info) >= 0, let info else { continue }
            defer { snd_ctl_card_info_free(info) }
            guard snd_ctl_card_info(control, info) >= 0 else { continue }
            func text(_ words: UnsafePointer<CChar>?) -> String { words.map { String(cString: $0) } ?? "" }
            cards.append(Card(id: text(snd_ctl_card_info_get_id(info)), name: text(snd_ctl_card_info_get_name(info))))
        }
        return cards
    }
}
