import AudioOutput
import Synth
import Wire

extension LiveSettings {
    /// A way for the sound to leave: how it is started, and what is said of it. A new one is a loop in `AudioOutput` and a function below,
    /// beside its names in the settings (`SettingsCatalog.Output`) and in `status` (`StatusReport.Output.Kind`).
    public struct Output: Sendable {
        let kind: StatusReport.Output.Kind
        /// The sound server that plays; nil where none does.
        var server: PulseSettings?
        /// The sound card that is played on without a server; nil where there is none.
        var card: AlsaSettings?
        /// Channels that carry haptic patterns, from 1.
        var transducers: [Int] = []
        /// How long others may have muted the sound before it is noticed, in nanoseconds.
        var muteDelay: Int64 = 20_000_000
        /// What the output needs to be heard, in words.
        var source = "a sound server"
        /// What has happened when the output begins to be heard, in words.
        var beginning = "connected to the sound server"
        /// What keeps the output from being heard when it is suspended, in words.
        var suspension = "the sink is suspended"
        /// The issues of others' mutes and volumes on the sink of this name, in words.
        var issues: @Sendable (_ others: Attenuation, _ sink: String) -> [String] = { $0.issues(on: $1) }
        /// Why the output waits, in words, by its own error code.
        var reason: @Sendable (_ fault: Int32) -> String = { _ in "" }
        let start: @Sendable (consuming Renderer, Doorbells) -> any AudioOutput
    }
}

extension LiveSettings.Output {
    /// Returns an output to a sound server.
    static func pulse(_ server: PulseSettings) -> Self {
        Self(kind: .pulse, server: server, transducers: server.transducers, reason: { PulseOutput.describe($0, server) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in PulseOutput(renderer, server, bells: bells) })
    }

    /// Returns an output to a sound card without a server.
    static func alsa(_ card: AlsaSettings) -> Self {
        Self(kind: .alsa, card: card, transducers: card.transducers,
             // A card's mixer is looked at once a second, and a sound server tells of mutes.
             muteDelay: 1_000_000_000, source: "the sound card", beginning: "playing on the sound card", suspension: "the machine slept",
             issues: { others, _ in others.isMuted ? ["the card \(card.device) is muted in its own mixer (alsamixer shows it)"] : [] },
             reason: { AlsaOutput.describe($0, card) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in AlsaOutput(renderer, card, bells: bells) })
    }

    /// Returns an output into nothing, on a timer; `speed` times as fast as real time, 1…1000.
    static func null(speed: Double) -> Self {
        Self(kind: .null, start: { (renderer: consuming Renderer, bells: Doorbells) in NullOutput(renderer, bells: bells, speed: speed) })
    }
}

extension LiveSettings {
    /// Returns the settings with the card's own rate, if the output is a card and no rate was set. A card that is missing or busy leaves
    /// the rate as it is.
    func withRateOfCard() -> LiveSettings {
        guard let card = output.card, !values.isGiven(\.rate),
              let own = AlsaOutput.rate(of: card.device, near: rate) else { return self }
        var settings = self
        settings.rate = own
        let name = values.table.catalog.rate.entry.name
        if let index = reports.firstIndex(where: { $0.key == name }) {
            settings.reports[index].value = "\(own.hertz)"
            settings.reports[index].unit = values.table.catalog.rate.entry.unit
            (settings.reports[index].source, settings.reports[index].place) = (.card, card.device)
        }
        return settings
    }
}
