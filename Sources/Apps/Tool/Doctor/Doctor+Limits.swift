import Glibc
import Wire

/// Checks whether thrumd may have real-time priority, and may lock its memory.
extension Doctor {
    /// Checks the limits of the running thrumd or, where none runs, those of this shell; and the priority of sound servers.
    func checkLimits(_ status: StatusReport?) -> [Diagnosis] {
        [status.map { Self.priority($0.output) } ?? Self.priorityHere, checkMemory() ?? Self.memoryHere] + checkServers(status)
    }

    /// The real-time priority of the render thread.
    private static let neededPriority: Int32 = 4

    private static func priority(_ output: StatusReport.Output) -> Diagnosis {
        if output.isRealtime { return .ok(.limits, "thrumd has real-time priority") }
        if !output.kind.needsPriority { return .ok(.limits, "thrumd has no real-time priority, and plays into nothing: none is needed") }
        return .trouble(.noPriority)
    }

    private static var priorityHere: Diagnosis {
        if isPriorityGranted { return .ok(.limits, "real-time priority is granted to this shell, though perhaps not to a service") }
        return .trouble(.noPriorityHere(neededPriority, limit: limit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue))))
    }

    /// Whether this process is granted real-time priority. The only way to know is to try it, because a capability may grant what the limit
    /// does not, and a control group may refuse what the limit grants.
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
        return .trouble(.mayNotLock(kibibytes: limit / 1024))
    }

    private static func limit(_ resource: __rlimit_resource_t) -> rlim_t {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0
    }

    /// Checks whether sound servers have real-time priority. None is needed where thrumd plays on a card directly, or into nothing.
    func checkServers(_ status: StatusReport?) -> [Diagnosis] {
        switch status?.output.kind {
        case .alsa, .null: return []
        case .pulse, nil: break
        }
        let hasBroker = KernelFiles.isThere("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service")
        return KernelFiles.processes(named: ["pulseaudio", "pipewire"]).compactMap { process in
            let tasks = "/proc/\(process.number)/task"
            let threads = KernelFiles.names(tasks).compactMap { KernelFiles.text("\(tasks)/\($0)/stat") }
            return ThreadSchedule.judge(process.name, process.number, threads.compactMap { ThreadSchedule(stat: $0) }, hasBroker: hasBroker)
        }
    }

    /// Checks whether the running thrumd has locked its memory. Nil where no thrumd runs, where several do, and where the kernel does not
    /// tell.
    func checkMemory() -> Diagnosis? {
        let processes = KernelFiles.processes(named: ["thrumd"])
        guard processes.count == 1, let number = processes.first?.number,
              let limits = KernelFiles.text("/proc/\(number)/limits").flatMap({ ProcessLimits($0) }),
              let locked = KernelFiles.text("/proc/\(number)/status").flatMap({ ProcessLimits.lockedNow(status: $0) }) else { return nil }
        return limits.judgeMemory(of: number, locked: locked)
    }
}

/// A process's limits, as the kernel lists them in /proc/PID/limits. A limit that is nil means unlimited.
struct ProcessLimits: Equatable {
    /// The highest real-time priority that the process may have.
    var priority: Int?
    /// The largest amount of memory that the process may lock, in bytes.
    var locked: Int?
}

extension ProcessLimits {
    /// Reads the soft limits from the text of /proc/PID/limits. Nil where the line of one of the two limits is missing.
    init?(_ text: String) {
        func soft(_ name: String) -> Substring? {
            text.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ").first
        }
        guard let priority = soft("Max realtime priority"), let locked = soft("Max locked memory") else { return nil }
        (self.priority, self.locked) = (Int(priority), Int(locked))
    }

    /// Judges whether thrumd has locked its memory. `process` is its number, and `lockedNow` is the kernel's `VmLck`, in KiB.
    func judgeMemory(of process: Int, locked lockedNow: Int) -> Diagnosis {
        if lockedNow > 0 {
            return .ok(.limits, "thrumd (process \(process)) has locked \((Double(lockedNow) / 1_024).fixed(1)) MiB of memory")
        }
        return .trouble(.notLocked(process, locked.map { ": its RLIMIT_MEMLOCK is \($0 / 1_024) KiB" } ?? ", though it might"))
    }

    /// Reads the amount of locked memory, in KiB, from the text of /proc/PID/status; nil where the text does not tell it.
    static func lockedNow(status text: String) -> Int? {
        text.firstMatch(of: /VmLck:\s*([0-9]+) kB/).flatMap { Int($0.1) }
    }
}

/// How the kernel schedules a thread, according to /proc/PID/task/TID/stat (proc(5)).
struct ThreadSchedule: Equatable {
    /// Whether the policy is SCHED_FIFO or SCHED_RR.
    var isRealtime: Bool
    var priority: Int
}

extension ThreadSchedule {
    init?(stat text: String) {
        // The second field is the name in parentheses, which may itself contain spaces and parentheses.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        // Fields 40 and 41 of proc(5); `fields` begins with the third.
        guard fields.count > 38, let priority = Int(fields[37]), let policy = Int(fields[38]) else { return nil }
        self.init(isRealtime: policy == 1 || policy == 2, priority: priority)
    }

    /// Judges whether a sound server has real-time priority. `threads` are the threads of its process. `hasBroker` says whether rtkit is
    /// installed, which grants real-time priority where the limits of a login do not.
    static func judge(_ server: String, _ process: Int, _ threads: [ThreadSchedule], hasBroker: Bool) -> Diagnosis? {
        guard !threads.isEmpty else { return nil }
        let words = "the sound server \(server) (process \(process)) has"
        if let priority = threads.filter(\.isRealtime).map(\.priority).max() {
            return .ok(.limits, "\(words) real-time priority \(priority)")
        }
        return .trouble(.serverWithoutPriority(words, hasBroker: hasBroker))
    }
}
