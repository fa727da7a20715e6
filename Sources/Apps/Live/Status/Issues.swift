import AudioOutput
import Calendar
import Evdev
import Glibc
import Realtime
import Synth
import Units
import Venue
import Wire

extension LiveSettings {
    /// The issues of sound, journal and clock, in words. `instant` is in seconds since 1970-01-01 in UTC.
    func issues(_ health: JournalRecorder.Health, _ report: OutputReport, at instant: Int) -> [String] {
        var issues: [String] = []
        if !LocalClock.isBelievable(instant) {
            issues.append("the clock stands in \(Self.year(of: instant)): until it is set, opening hours do not count, and no day begins")
        }
        for (file, reason) in unreadableSounds.sorted(by: { $0.key < $1.key }) {
            issues.append("the sound \(file) cannot be read, and is silent until a reload finds it: \(reason)")
        }
        if wantsRevising, !report.revises {
            issues.append("the sound server does not overwrite what is queued: sound comes later, from a short queue")
        }
        if let last = output.server?.transducers.max(), (1..<last).contains(report.sinkChannels) {
            issues.append("the transducer is on channel \(last), and the sink has \(report.sinkChannels)")
        }
        if let sink = lostSink(report) { issues.append("the sink \(sink) of the settings is gone: the sound is on \(report.sink)") }
        if report.state == .connected { issues += output.issues(report.attenuation, report.sink.description) }
        if report.state == .waiting { issues.append("no sound: waiting for \(output.source) (\(report.reasonToWait(self.output)))") }
        if let issue = health.issue { issues.append(issue) }
        if let issue = health.pruningIssue { issues.append(issue) }
        if let path = health.lastDisturbed {
            issues.append("journals that others changed while they were written: \(health.disturbed), the last set aside as \(path)")
        }
        if health.isLosing { issues.append("\(health.lost) journal entries are lost") }
        return issues
    }

    /// The sink that the settings name, where the server plays on another; nil where it does not, or another name may be meant.
    private func lostSink(_ report: OutputReport) -> String? {
        guard report.state == .connected, let sink = output.server?.sink, !sink.hasPrefix("@"), Int(sink) == nil,
              report.sink != FixedText(), report.sink != FixedText(sink) else { return nil }
        return sink
    }

    private static func year(of instant: Int) -> Int {
        var seconds = instant
        var utc = tm()
        gmtime_r(&seconds, &utc)
        return Int(utc.tm_year) + 1900
    }

    private var wantsRevising: Bool { output.server?.revises ?? true }
}

extension OutputReport {
    /// Returns why nothing plays, in words.
    func reasonToWait(_ output: LiveSettings.Output) -> String {
        if isSuspended { return output.suspension }
        guard fault != 0 else { return "it does not ask for audio yet" }
        return output.reason(fault)
    }
}

extension Attenuation {
    /// The volume that other programs have made of stream and sink together, in dB, from −120 on.
    var volume: Double { Magnitude(Float(stream.magnitude * sink.magnitude)).reported }

    var isMuted: Bool { stream.isMuted || sink.isMuted }

    /// The factor by which a sample's magnitude comes out.
    var gain: Float { isMuted ? 0 : Float(stream.magnitude * sink.magnitude) }

    /// The volume below which nothing is heard, in dB.
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

extension Devices.Report {
    /// What is not as it should be, in words.
    var issues: [String] {
        missing.map { missing in
            missing.device.map { "the device \($0) is gone, which was used by the rule \(missing.rule)" }
                ?? "there is no device for the rule \(missing.rule)"
        }
            + motors.compactMap { motor in motor.issue.map { "force feedback \(motor.name): \($0)" } }
    }
}

extension StatusReport {
    /// The report in one line, for `systemctl status`.
    var summary: String {
        let notices = house.notices
        guard issues.isEmpty else { return "degraded: " + (issues + notices).joined(separator: "; ") }
        let sound = output.sink.map { "playing on \($0)" }
            ?? (output.state == .null ? "rendering into nothing"
                : "waiting for " + (output.kind == .alsa ? "the sound card" : "a sound server"))
        let visitor = session.map { $0.isHeld ? "a visitor is there, holding" : "a visitor is there" } ?? "no visitor"
        return (notices + [sound, visitor, "preset \(house.preset)", "clients: \(clients), sessions: \(sessions)"]).joined(separator: "; ")
    }
}
