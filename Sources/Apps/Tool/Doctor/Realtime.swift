/// A process's limits, as the kernel lists them in /proc/PID/limits. Nil is unlimited.
struct ProcessLimits: Equatable {
    /// The highest real-time priority.
    var priority: Int?
    /// The most memory that may be locked, in bytes.
    var locked: Int?

    init(priority: Int?, locked: Int?) {
        self.priority = priority
        self.locked = locked
    }

    /// Reads the soft limits. Nil where one of the two is missing.
    init?(_ text: String) {
        func soft(_ name: String) -> Substring? {
            text.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ").first
        }
        guard let priority = soft("Max realtime priority"), let locked = soft("Max locked memory") else { return nil }
        (self.priority, self.locked) = (Int(priority), Int(locked))
    }

    /// Says whether the memory of thrumd, process `process`, is locked. `locked` is the kernel's line `VmLck` in kibibytes.
    func judgeMemory(of process: Int, locked lockedNow: Int) -> Diagnosis {
        if lockedNow > 0 {
            return .ok(.limits, "thrumd (process \(process)) has locked \((Double(lockedNow) / 1_024).fixed(1)) MiB of memory")
        }
        let limit = locked.map { ": its RLIMIT_MEMLOCK is \($0 / 1_024) KiB" } ?? ", though it might"
        return .warning(.limits, "thrumd (process \(process)) has locked no memory, and may be swapped out" + limit,
                        advice: Self.memoryAdvice)
    }

    static let memoryAdvice = "of a service: LimitMEMLOCK=infinity in its unit; of a login: the line \"@audio - memlock unlimited\" in "
        + "/etc/security/limits.d/thrum.conf, the user in the group audio, and a new login"

    /// Reads how much memory is locked from /proc/PID/status, in kibibytes.
    static func lockedNow(status text: String) -> Int? {
        text.firstMatch(of: /VmLck:\s*([0-9]+) kB/).flatMap { Int($0.1) }
    }
}

/// How the kernel schedules a thread, as it says in /proc/PID/task/TID/stat (proc(5)).
struct ThreadSchedule: Equatable {
    /// SCHED_FIFO or SCHED_RR.
    var isRealtime: Bool
    var priority: Int

    init(isRealtime: Bool, priority: Int) {
        self.isRealtime = isRealtime
        self.priority = priority
    }

    init?(stat text: String) {
        // The second field is the name in parentheses, with whatever somebody has put into it.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        // Fields 40 and 41, of which the first here is the third.
        guard fields.count > 38, let priority = Int(fields[37]), let policy = Int(fields[38]) else { return nil }
        self.init(isRealtime: policy == 1 || policy == 2, priority: priority)
    }

    /// Says whether a sound server goes before other programs. `threads` are those of its process, `hasBroker` whether rtkit is installed,
    /// which grants real-time priority where a login's limits do not.
    static func judge(_ server: String, _ process: Int, _ threads: [ThreadSchedule], hasBroker: Bool) -> Diagnosis? {
        guard !threads.isEmpty else { return nil }
        let words = "the sound server \(server) (process \(process)) has"
        if let priority = threads.filter(\.isRealtime).map(\.priority).max() {
            return .ok(.limits, "\(words) real-time priority \(priority)")
        }
        return .warning(.limits, "\(words) no real-time priority: a busy machine may be heard",
                        advice: hasBroker ? "rtkit is installed, and has granted none: journalctl -b -u rtkit-daemon says why; of a "
                            + "service: LimitRTPRIO=20 in its unit"
                            : "sudo apt install rtkit, and a new login; of a service: LimitRTPRIO=20 in its unit")
    }
}
