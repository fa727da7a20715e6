import AudioOutput
import Synth
import Units
import Wire

extension StatusReport.Output {
    init(_ report: OutputReport, _ output: LiveSettings.Output, rate: SampleRate, lateEvents: UInt64, wakeUpsPerSecond: Double) {
        func milliseconds(_ count: FrameCount) -> Double { rate.seconds(in: count).rawValue * 1000 }
        self.init()
        (self.kind, self.state) = (output.kind, report.state.report)
        if report.state == .waiting { self.issue = report.reasonToWait(output) }
        if report.state == .connected { (self.server, self.sink) = (report.server.description, report.sink.description) }
        (self.isMutedByOthers, self.volumeByOthers) = (report.attenuation.isMuted, report.attenuation.volume)
        (self.isSuspended, self.isRevising, self.isRealtime) = (report.isSuspended, report.revises, report.isRealtime)
        self.monitorPeak = report.monitor.map { Magnitude($0.peak).reported }
        self.sampleRate = Int(rate.hertz)
        self.latency.touchToSoundMilliseconds = milliseconds(report.lead)
        self.latency.touchToRewriteMilliseconds = Double(report.travel) / 1e6
        self.latency.marginMilliseconds = milliseconds(report.margin)
        self.latency.queuedMilliseconds = milliseconds(report.fill)
        self.latency.sinkBlockMilliseconds = milliseconds(report.sinkBlock)
        self.latency.clockErrorMicroseconds = Double(report.clockErrorNanoseconds) / 1000
        self.latency.driftPartsPerMillion = report.drift * 1e6
        counters = report.counters
        counters.lateEvents = lateEvents
        self.wakeUpsPerSecond = wakeUpsPerSecond
    }
}

extension OutputReport {
    func reasonToWait(_ output: LiveSettings.Output) -> String {
        if isSuspended { return output.suspension }
        guard fault != 0 else { return "it does not ask for audio yet" }
        return output.reason(fault)
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
