import AudioOutput
import Realtime
import Synth
import Wire

extension LiveSettings {
    /// A kind of sound output: how it is started, and how its states are described. To add one, write its loop in `AudioOutput` and a
    /// function below, which gives every property a value.
    public struct Output: Sendable {
        let kind: OutputKind
        /// The sound server on which the output plays; nil where it uses none.
        let server: PulseSettings?
        /// The sound card on which the output plays without a server; nil where it uses none.
        let card: AlsaSettings?
        /// The channels that carry haptic patterns, counted from 1.
        let transducers: [Int]
        /// The state until the render thread reports one.
        let state: OutputState
        /// The longest time from a mute of the sound by another program until it is noticed, in nanoseconds.
        let muteDelay: Int64
        /// What has happened when the output starts to be heard, in words.
        let beginning: String
        /// Why the output is not heard while it is suspended, in words.
        let suspension: String
        /// Returns the issues of the output in words, except that it waits.
        let issues: @Sendable (_ report: OutputReport) -> [String]
        /// Returns why the output waits, in words; `fault` is the output's own error code.
        let reason: @Sendable (_ fault: Int32) -> String
        let start: @Sendable (consuming Renderer, Doorbells) -> any AudioOutput
    }
}

extension LiveSettings.Output {
    /// Returns an output that plays on a sound server.
    static func pulse(_ server: PulseSettings) -> Self {
        Self(kind: .pulse, server: server, card: nil, transducers: server.transducers, state: .waiting, muteDelay: 20_000_000,
             beginning: "connected to the sound server", suspension: "the sink is suspended", issues: { server.issues($0) },
             reason: { PulseOutput.describe($0, server) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in PulseOutput(renderer, server, bells: bells) })
    }

    /// Returns an output that plays on a sound card without a server.
    static func alsa(_ card: AlsaSettings) -> Self {
        // A card's mixer is read only once a second; a sound server announces mutes.
        Self(kind: .alsa, server: nil, card: card, transducers: card.transducers, state: .waiting, muteDelay: 1_000_000_000,
             beginning: "playing on the sound card", suspension: "the machine slept", issues: { card.issues($0) },
             reason: { AlsaOutput.describe($0, card) },
             start: { (renderer: consuming Renderer, bells: Doorbells) in AlsaOutput(renderer, card, bells: bells) })
    }

    /// Returns an output that plays into nothing, on a timer; `speed` times as fast as real time, 1…1000. It never waits and is never
    /// muted.
    static func null(speed: Double) -> Self {
        Self(kind: .null, server: nil, card: nil, transducers: [], state: .null, muteDelay: 0, beginning: "", suspension: "",
             issues: { _ in [] }, reason: { _ in "" },
             start: { (renderer: consuming Renderer, bells: Doorbells) in NullOutput(renderer, bells: bells, speed: speed) })
    }
}

extension PulseSettings {
    /// Returns the issues of the server's sink, and of other programs' settings of the sink, in words.
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

    /// Returns the sink that the settings name, if the server plays on another one. Nil where it plays on that sink, or where the settings
    /// name no sink, or only a number or a placeholder such as `@DEFAULT_SINK@`.
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
    /// Returns the settings with the card's own sample rate, if the output is a card and no rate was set. If the card is missing or busy,
    /// the rate is unchanged.
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
