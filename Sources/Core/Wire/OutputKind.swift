/// The kinds of output, and what is said of each. A new output begins as a case here: the compiler then asks for its words, for its text in
/// settings (`SettingsCatalog.Output`), and for its start (`LiveSettings.Output`).
public enum OutputKind: String, CaseIterable, Codable, Sendable {
    case pulse, alsa, null

    /// What plays the sound, for instance `sound card`; nil where nothing is heard.
    public var player: String? {
        switch self {
        case .pulse: "sound server"
        case .alsa: "sound card"
        case .null: nil
        }
    }

    /// What the output waits for as long as nothing is heard, as in `waiting for the sound card`.
    public var awaited: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "the sound card"
        case .null: "nothing"
        }
    }

    /// Whether sound is disturbed on a busy machine where the render thread has no real-time priority.
    public var needsPriority: Bool {
        switch self {
        case .pulse, .alsa: true
        case .null: false
        }
    }

    /// The place where the sound goes, as `status` describes it.
    var place: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "a card"
        case .null: "nothing"
        }
    }

    /// What the kind is for, as the help of the setting `output` says it after the name and `for`.
    public var purpose: String {
        switch self {
        case .pulse: "a sound server"
        case .alsa: "a card without one"
        case .null: "a timer that plays into nothing"
        }
    }

    /// The texts that the setting `output` has for the kind, as its help lists them.
    public var spelling: String {
        switch self {
        case .pulse, .null: rawValue
        case .alsa: "alsa, alsa:DEVICE as in alsa:hw:CARD=PCH"
        }
    }

    /// Returns `words` of all kinds as a list, for instance `a sound server, a card, or nothing`.
    public static func list(_ words: (OutputKind) -> String) -> String {
        let all = allCases.map(words)
        return all.dropLast().joined(separator: ", ") + ", or " + (all.last ?? "")
    }
}
