import AudioOutput
import Experience
import Files
import FoundationEssentials
import Glibc
import JournalFile
import SystemPackage
import Wire

/// Checks whether there is a sound server with a sink, and what stands between it and the loudspeaker.
extension Doctor {
    func checkSound(_ status: StatusReport?) -> [Diagnosis] {
        let onServer = { checkServer() + checkCards(status) + checkPipeWire(status) }
        guard let output = status?.output else { return onServer() }
        return switch output.kind {
        case .pulse: onServer()
        case .alsa: [Self.judge(card: output)] + checkCards(status)
        case .null: [.ok(.sound, "thrumd plays into nothing, as its settings say: no server is needed")]
        }
    }

    private func checkServer() -> [Diagnosis] {
        let sinks: [PulseSurvey.Sink]
        do {
            sinks = try PulseSurvey.sinks(server: server)
        } catch {
            let place = server.map { " at \($0)" } ?? ""
            return [.problem(.sound, "no sound server\(place): \(error)",
                             advice: "start PulseAudio, or PipeWire with pipewire-pulse; if one runs, name it with --server or set "
                                 + "XDG_RUNTIME_DIR as it has it")]
        }
        // The dummy sink of a server without a sound card.
        let audible = sinks.filter { $0.name != "auto_null" }
        guard !audible.isEmpty else {
            return [.warning(.sound, "nothing is heard: the sound server has " + (sinks.isEmpty ? "no sink" : "a dummy sink only"),
                             advice: "plug in a sound card; if there is one (aplay -l lists them), see that the server may open it: "
                                 + "its user in the group audio, and a new login")]
        }
        return audible.map(Self.judge)
    }

    private static func judge(card output: StatusReport.Output) -> Diagnosis {
        if let issue = output.issue {
            return .problem(.sound, "thrumd waits for its sound card: \(issue)",
                            advice: "plug it in, or free it; output names it in the settings")
        }
        let words = "thrumd plays on \(output.sink ?? "a card") itself: \(output.server ?? "ALSA"), \(output.sampleRate) Hz"
        if output.isMutedByOthers { return .warning(.sound, words + ", and it is muted", advice: "let it be heard: alsamixer") }
        return .ok(.sound, words)
    }

    private static func judge(_ sink: PulseSurvey.Sink) -> Diagnosis {
        let words = "sink \(sink.name) (\(sink.description)), \(sink.rate) Hz, channels: \(sink.channels)"
            + (sink.isDefault ? ", the default" : "")
            + (sink.volume == 0 ? "" : ", volume \(sink.volume <= -120 ? "0" : sink.volume.fixed(1) + " dB")")
        if sink.isDefault, sink.isMuted {
            return .warning(.sound, words + ", and muted", advice: "let it be heard: pactl set-sink-mute \(sink.name) 0")
        }
        if sink.isDefault, sink.volume < -60 {
            return .warning(.sound, words + ": nobody hears that", advice: "turn it up: pactl set-sink-volume \(sink.name) 100%")
        }
        return .ok(.sound, words + (sink.isMuted ? ", muted" : ""))
    }
}

/// Checks whether thrumd may go before other programs, and keep its memory from being swapped out.
extension Doctor {
    /// Checks the limits of the thrumd that runs, or else those of this shell, and the priority of sound servers.
    func checkLimits(_ status: StatusReport?) -> [Diagnosis] {
        [status.map { Self.priority($0.output) } ?? Self.priorityHere, checkMemory() ?? Self.memoryHere] + checkServers(status)
    }

    /// The priority of the render thread.
    private static let neededPriority: Int32 = 4

    private static let priorityAdvice = "of a service: LimitRTPRIO=20 in its unit; of a login: the line \"@audio - rtprio 20\" in "
        + "/etc/security/limits.d/thrum.conf, the user in the group audio, and a new login"

    private static func priority(_ output: StatusReport.Output) -> Diagnosis {
        if output.isRealtime { return .ok(.limits, "thrumd has real-time priority") }
        if !output.kind.needsPriority { return .ok(.limits, "thrumd has no real-time priority, and plays into nothing: none is needed") }
        return .problem(.limits, "thrumd has no real-time priority: a busy machine may be heard", advice: priorityAdvice)
    }

    private static var priorityHere: Diagnosis {
        if isPriorityGranted { return .ok(.limits, "real-time priority is granted to this shell, though perhaps not to a service") }
        let limit = limit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue))
        return .problem(.limits, "real-time priority \(neededPriority) is not granted to this shell, though perhaps to a service: its "
                            + "RLIMIT_RTPRIO is \(limit)", advice: priorityAdvice)
    }

    /// Whether real-time priority is granted. It is tried, because a capability may grant it beside the limit, and a control group refuse
    /// it.
    private static var isPriorityGranted: Bool {
        var wanted = sched_param(sched_priority: neededPriority)
        guard sched_setscheduler(0, SCHED_FIFO, &wanted) == 0 else { return false }
        var usual = sched_param(sched_priority: 0)
        sched_setscheduler(0, SCHED_OTHER, &usual)
        return true
    }

    private static var memoryHere: Diagnosis {
        let limit = limit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue))
        if limit == .max || geteuid() == 0 { return .ok(.limits, "memory may be locked by this shell's programs without limit") }
        return .warning(.limits, "this shell's programs may lock \(limit / 1024) KiB of memory only: a thrumd like that locks none, "
                            + "and may be swapped out",
                        advice: ProcessLimits.memoryAdvice)
    }

    private static func limit(_ resource: __rlimit_resource_t) -> rlim_t {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0
    }
}

/// Checks whether journals can be written, and whether the space lasts.
extension Doctor {
    /// The bytes below which nothing should begin.
    private static let least: UInt64 = 16 << 20
    private static let plenty: UInt64 = 1 << 30

    func checkDisk() -> Diagnosis {
        guard let folder = folder.sessions?.path ?? SessionFolder.standard(ProcessInfo.processInfo.environment) else {
            return .problem(.disk, "no place for journals, because neither XDG_STATE_HOME nor HOME is set",
                            advice: "name one: --sessions DIRECTORY, here and for thrumd")
        }
        let place = Self.nearest(folder)
        guard Self.isDirectory(place) else {
            return .problem(.disk, "\(place): is no directory, so that journals have no place",
                            advice: "move it away, or name another directory: --sessions DIRECTORY, here and for thrumd")
        }
        guard place.withPlatformString({ access($0, W_OK | X_OK) }) == 0 else {
            return .problem(.disk, "\(place): journals cannot be written: \(Errno(rawValue: errno))",
                            advice: "sudo chown \"$USER\" \(place), or name another directory: --sessions DIRECTORY, here and for thrumd")
        }
        var volume = statvfs()
        guard place.withPlatformString({ statvfs($0, &volume) }) == 0 else {
            return .problem(.disk, "\(place): the space left cannot be told: \(Errno(rawValue: errno))",
                            advice: "name a directory on another disk: --sessions DIRECTORY, here and for thrumd")
        }
        let words = place == folder ? "\(folder)" : "\(folder), which the first session makes"
        return Self.judge(UInt64(volume.f_bavail) * UInt64(volume.f_frsize), folder, words)
    }

    private static func judge(_ free: UInt64, _ folder: FilePath, _ words: String) -> Diagnosis {
        let advice = "make room: thrum sessions prune --days 30 --sessions \(folder) says which old sessions would go; --yes removes them"
        let space = free < plenty ? "\((Double(free) / 0x1p20).fixed(0)) MiB" : "\((Double(free) / 0x1p30).fixed(1)) GiB"
        return switch free {
        case ..<least: .problem(.disk, "\(words): \(space) free, too little for journals", advice: advice)
        case ..<plenty: .warning(.disk, "\(words): \(space) free, which does not last", advice: advice)
        default: .ok(.disk, "\(words): \(space) free")
        }
    }

    /// Returns `path`, or the nearest path above it at which there is something.
    private static func nearest(_ path: FilePath) -> FilePath {
        guard !path.isEmpty else { return "." }
        let parent = path.removingLastComponent()
        return path.information != nil || parent == path ? path : nearest(parent)
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        path.information.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}
