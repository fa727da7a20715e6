import Wire

extension SettingsCatalog {
    /// Where the sound goes, as the settings say it: a kind of output, and what of that kind is meant.
    public enum Output: Equatable, Sendable {
        case pulse
        /// A card without a sound server, by its name in ALSA; nil for the first.
        case alsa(device: String?)
        case null
    }
}

extension SettingKind where Value == SettingsCatalog.Output {
    /// A kind's name, and where several things are of that kind, the one that is meant after a colon.
    static var output: Self {
        Self(.text(OutputKind.list(\.spelling)), read: { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let kind = parts.first.flatMap(OutputKind.init(rawValue:)) else { return nil }
            let device = parts.count > 1 ? parts[1] : nil
            return switch kind {
            case .pulse: device == nil ? .pulse : nil
            case .alsa: device == "" ? nil : .alsa(device: device)
            case .null: device == nil ? .null : nil
            }
        }, write: { output in
            switch output {
            case .pulse: OutputKind.pulse.rawValue
            case .alsa(let device): OutputKind.alsa.rawValue + (device.map { ":" + $0 } ?? "")
            case .null: OutputKind.null.rawValue
            }
        })
    }
}
