import CAlsa
import Glibc

/// Why a card does not play.
enum CardFault: Error, Equatable {
    /// ALSA's name leads to a plugin.
    case isPlugin
    case lacksFormats
    case lacksRate
    case lacksChannels
    /// It says that it plays, and takes nothing.
    case standsStill
    /// libasound's error, a negative errno.
    case library(Int32)

    private static let own: [CardFault] = [.isPlugin, .lacksFormats, .lacksRate, .lacksChannels, .standsStill]

    /// For the output's report: from 1 on for our own, negative for libasound's.
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

/// Throws what libasound returned, if that is an error.
func check(_ code: Int32) throws(CardFault) { if code < 0 { throw .library(code) } }

/// The sound cards of this machine.
enum CardSurvey {
    struct Card: Equatable {
        /// A word that stays when cards come and go.
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
