import AudioOutput
import Synth
import Units
import Wire

extension StatusReport.Output {
    init(_ report: OutputReport, _ output: LiveSettings.Output, rate: SampleRate, lateEvents: UInt64, wakeUpsPerSecond: Double) {
        func milliseconds(_ count: FrameCount) -> Double { rate.seconds(in: count).rawValue * 1000 }
        self.init(
            kind: output.kind, state: report.state.report, issue: report.state == .waiting ? report.reasonToWait(output) : nil,
            server: report.state == .connected ? report.server.description : nil,
            sink: report.state == .connected ? report.sink.description : nil,
            isMutedByOthers: report.attenuation.isMuted, volumeByOthers: report.attenuation.volume,
            isSuspended: report.isSuspended,
            monitorPeak: report.monitor.map { Magnitude($0.peak).reported },
            sampleRate: Int(rate.hertz), isRevising: report.revises, isRealtime: report.isRealtime,
            latency: StatusReport.Latency(
                touchToSoundMilliseconds: milliseconds(report.lead),
                touchToRewriteMilliseconds: Double(report.travel) / 1e6, marginMilliseconds: milliseconds(report.margin),
                queuedMilliseconds: milliseconds(report.fill), sinkBlockMilliseconds: milliseconds(report.sinkBlock),
                clockErrorMicroseconds: Double(report.clockErrorNanoseconds) / 1000,
                driftPartsPerMillion: report.drift * 1e6),
            rewrites: report.rewrites, lateRewrites: report.lateRewrites, lateEvents: lateEvents,
            connections: report.connections, underruns: report.underruns, wakeUpsPerSecond: wakeUpsPerSecond)
    }
}

extension LiveSettings.Output {
    var kind: StatusReport.Output.Kind {
        switch self {
        case .pulse: .pulse
        case .alsa: .alsa
        case .null: .null
        }
    }

    /// What it needs to be heard.
    var source: String { if case .alsa = self { "the sound card" } else { "a sound server" } }

    /// What keeps it from being heard, when the output is suspended.
    var suspension: String { if case .alsa = self { "the machine slept" } else { "the sink is suspended" } }
}

extension OutputReport {
    func reasonToWait(_ output: LiveSettings.Output) -> String {
        if isSuspended { return output.suspension }
        guard fault != 0 else { return "it does not ask for audio yet" }
        return switch output {
        case .pulse(let pulse): PulseOutput.describe(fault, pulse)
        case .alsa(let card): AlsaOutput.describe(fault, card)
        case .null: ""
        }
    }
}

extension Attenuation {
    /// In dB, from −120 on.
    var volume: Double { Magnitude(Float(stream.magnitude * sink.magnitude)).reported }

    var isMuted: Bool { stream.isMuted || sink.isMuted }

    /// What it makes of a sample's magnitude.
    var gain: Float { isMuted ? 0 : Float(stream.magnitude * sink.magnitude) }

    /// Inaudible below this, in dB.
    private static let silence = -60.0

    /// Whether nothing is heard of the sound, whatever is played.
    var isInaudible: Bool { isMuted || volume < Self.silence }

    /// What other programs' volumes and mutes do to the sound on the sink `name`, in words.
    func issues(on name: String) -> [String] {
        var issues: [String] = []
        if sink.isMuted { issues.append("the sink \(name) is muted by another program") }
        if stream.isMuted { issues.append("Thrum's stream on the sink \(name) is muted by another program") }
        if volume < Self.silence {
            let left = volume <= -120 ? "it is silent" : "\(Int(volume.rounded())) dB with Thrum's stream"
            issues.append("the sink \(name) is turned down by another program: \(left)")
        }
        return issues
    }
}

extension OutputState {
    var report: StatusReport.Output.State {
        switch self {
        case .null: .null
        case .waiting: .waiting
        case .connected: .connected
        }
    }
}
