import AudioOutput
import Realtime
import Synth
import Wire

extension LiveSettings {
    /// A way for the sound to leave: how it is started, and what is said of it beside the words of its kind. A new one is a loop in
    /// `AudioOutput` and a function below, which gives every property a value.
    public struct Output: Sendable {
        let kind: OutputKind
        /// The sound server that plays; nil where none does.
        let server: PulseSettings?
        /// The sound card that is played on without a server; nil where there is none.
        let card: AlsaSettings?
        /// Channels that carry haptic patterns, from 1.
        let transducers: [Int]
        /// The state until the render thread tells its own.
        let state: OutputState
        /// How long others may have muted the sound before it is noticed, in nanoseconds.
        let muteDelay: Int64
        /// What has happened when the output begins to be heard, in words.
        let beginning: String
        /// What keeps the output from being heard when it is suspended, in words.
        let suspension: String
        /// Tells the issues of the output but its waiting, in words.
        let issues: @Sendable (_ report: OutputReport) -> [String]
        /// Tells why the output waits, in words, by its own error code.
        let reason: @Sendable (_ fault: Int32) -> String
        let start: @Sendable (consuming Renderer, Doorbells) -> any AudioOutput
    }
}

extension LiveSettings.Output {
    /// Returns an output to a sound server.
    static func pulse(_ server: PulseSettings) -> Self {
        Self(kind: .pulse, server: server, card: nil, transducers: server.transducers, state: .waiting, muteDelay: 20_000_000,
             beginning: "connected to the sound server", suspension: "the sink is suspended", issues: { server.issues($0) },
             reason: { PulseOutput.describe($0, server) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in PulseOutput(renderer, server, bells: bells) })
    }

    /// Returns an output to a sound card without a server.
    static func alsa(_ card: AlsaSettings) -> Self {
        // A card's mixer is looked at once a second, and a sound server tells of mutes.
        Self(kind: .alsa, server: nil, card: card, transducers: card.transducers, state: .waiting, muteDelay: 1_000_000_000,
             beginning: "playing on the sound card", suspension: "the machine slept", issues: { card.issues($0) },
             reason: { AlsaOutput.describe($0, card) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in AlsaOutput(renderer, card, bells: bells) })
    }

    /// Returns an output into nothing, on a timer; `speed` times as fast as real time, 1…1000. It never waits, and nobody mutes it.
    static func null(speed: Double) -> Self {
        Self(kind: .null, server: nil, card: nil, transducers: [], state: .null, muteDelay: 0, beginning: "", suspension: "",
             issues: { _ in [] }, reason: { _ in "" },
             start: { (renderer: consuming Renderer, bells: Doorbells) in NullOutput(renderer, bells: bells, speed: speed) })
    }
}

extension PulseSettings {
    /// Returns the issues of the server's sink, and of what other programs do to it, in words.
    fileprivate func issues(_ report: OutputReport) -> [String] {
        var issues: [String] = []
        if revises, !report.revises {
            issues.append("the sound server does not overwrite what is queued: sound comes later, from a short queue")
        }
        if let last = transducers.max(), (1..<last).contains(report.sinkChannels) {
            issues.append("the transducer is on channel \(last), and the sink has \(report.sinkChannels)")
        }
        guard report.state == .connected else { return issues }
        if let sink = lostSink(report) { issues.append("the sink \(sink) of the settings is gone: the sound is on \(report.sink)") }
        return issues + report.attenuation.issues(on: report.sink.description)
    }

    /// The sink that the settings name, where the server plays on another; nil where it does not, or another name may be meant.
    private func lostSink(_ report: OutputReport) -> String? {
        guard let sink, !sink.hasPrefix("@"), Int(sink) == nil, report.sink != FixedText(), report.sink != FixedText(sink) else {
            return nil
        }
        return sink
    }
}

extension AlsaSettings {
    /// Returns the issues of the card's own mixer, in words.
    fileprivate func issues(_ report: OutputReport) -> [String] {
        guard report.state == .connected, report.attenuation.isMuted else { return [] }
        return ["the card \(device) is muted in its own mixer (alsamixer shows it)"]
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
