/// The kinds of output, with texts about each. To add an output, add a case here: the compiler then asks for its texts, for its spelling in
/// settings (`SettingsCatalog.Output`), and for the code that starts it (`LiveSettings.Output`).
public enum OutputKind: String, CaseIterable, Codable, Sendable {
    case pulse, alsa, null

    /// What plays the sound, for instance `sound card`; nil for an output that plays nothing.
    public var player: String? {
        switch self {
        case .pulse: "sound server"
        case .alsa: "sound card"
        case .null: nil
        }
    }

    /// What the output waits for while nothing can be heard, as in `waiting for the sound card`.
    public var awaited: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "the sound card"
        case .null: "nothing"
        }
    }

    /// Whether the sound may be disturbed on a busy machine if the render thread has no real-time priority.
    public var needsPriority: Bool {
        switch self {
        case .pulse, .alsa: true
        case .null: false
        }
    }

    /// Where the sound goes, in the words of `status`.
    var destination: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "a card"
        case .null: "nothing"
        }
    }

    /// What the kind is for, in the help of the setting `output`, where it follows the kind's name and `for`.
    public var purpose: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "a card without one"
        case .null: "a timer that plays into nothing"
        }
    }

    /// The values of the setting `output` that choose this kind, in the words of the setting's help.
    public var spelling: String {
        switch self {
        case .pulse, .null: rawValue
        case .alsa: "alsa, alsa:DEVICE as in alsa:hw:CARD=PCH"
        }
    }

    /// Returns the `words` of all kinds as a list, for instance `a sound server, a card, or nothing`.
    public static func list(_ words: (OutputKind) -> String) -> String {
        let all = allCases.map(words)
        return all.dropLast().joined(separator: ", ") + ", or " + (all.last ?? "")
    }
}
