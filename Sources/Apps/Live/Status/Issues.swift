import AudioOutput
import Calendar
import Evdev
import Glibc
import Synth
import Units
import Venue
import Wire

extension LiveSettings {
    /// Returns the issues of sound, journal and clock, in words. `instant` is in seconds since 1970-01-01 in UTC.
    func issues(_ health: JournalRecorder.Health, _ report: OutputReport, at instant: Int) -> [String] {
        var issues: [String] = []
        if !LocalClock.isBelievable(instant) {
            issues.append("the clock stands in \(Self.year(of: instant)): until it is set, opening hours do not count, and no day begins")
        }
        for (file, reason) in unreadableSounds.sorted(by: { $0.key < $1.key }) {
            issues.append("the sound \(file) cannot be read, and is silent until a reload finds it: \(reason)")
        }
        issues += output.issues(report)
        if report.state == .waiting { issues.append("no sound: waiting for \(output.kind.awaited) (\(report.reasonToWait(output)))") }
        if let issue = health.issue { issues.append(issue) }
        if let issue = health.pruningIssue { issues.append(issue) }
        if let path = health.lastDisturbed {
            issues.append("journals that others changed while they were written: \(health.disturbed), the last set aside as \(path)")
        }
        if health.isLosing { issues.append("\(health.lost) journal entries are lost") }
        return issues
    }

    private static func year(of instant: Int) -> Int {
        var seconds = instant
        var utc = tm()
        gmtime_r(&seconds, &utc)
        return Int(utc.tm_year) + 1900
    }
}

extension OutputReport {
    /// Returns why the output does not play, in words.
    func reasonToWait(_ output: LiveSettings.Output) -> String {
        if isSuspended { return output.suspension }
        guard fault != 0 else { return "it does not ask for audio yet" }
        return output.reason(fault)
    }
}

extension Attenuation {
    /// The product of the volumes that other programs have set for stream and sink, in dB; at least −120.
    var volume: Double { Magnitude(Float(stream.magnitude * sink.magnitude)).reported }

    var isMuted: Bool { stream.isMuted || sink.isMuted }

    /// The factor that other programs' volumes and mutes apply to samples.
    var gain: Float { isMuted ? 0 : Float(stream.magnitude * sink.magnitude) }

    /// The volume in dB below which nothing is heard.
    private static let silence = -60.0

    /// Whether every sound is inaudible now.
    var isInaudible: Bool { isMuted || volume < Self.silence }

    /// Returns the effects of other programs' volumes and mutes on the sink `name`, in words.
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
    /// The issues of the devices, in words.
    var issues: [String] {
        missing.map { missing in
            missing.device.map { "the device \($0) is gone, which was used by the rule \(missing.rule)" }
                ?? "there is no device for the rule \(missing.rule)"
        }
            + switches.filter(\.isDeaf).map { "the switch \($0.name) (\($0.node)) is grabbed by another program: nothing of it is heard" }
            + motors.compactMap { motor in motor.issue.map { "force feedback \(motor.name): \($0)" } }
    }
}

extension StatusReport {
    /// The report as one line, for `systemctl status`.
    var summary: String {
        let notices = house.notices
        guard issues.isEmpty else { return "degraded: " + (issues + notices).joined(separator: "; ") }
        let sound = output.sink.map { "playing on \($0)" }
            ?? (output.state == .null ? "rendering into nothing" : "waiting for \(output.kind.awaited)")
        let visitor = session.map { $0.isHeld ? "a visitor is there, holding" : "a visitor is there" } ?? "no visitor"
        return (notices + [sound, visitor, "preset \(house.preset)", "clients: \(clients), sessions: \(sessions)"]).joined(separator: "; ")
    }
}
