import Glibc
import Wire

/// Whether thrumd may go before other programs, and keep its memory from being swapped out.
extension Doctor {
    /// What thrumd says of itself counts; without it there is only what this shell allows.
    func checkLimits(_ status: StatusReport?) -> [Diagnosis] {
        [status.map { Self.priority($0.output) } ?? Self.priorityHere, Self.memoryHere]
    }

    /// The render thread's.
    private static let neededPriority: Int32 = 4

    private static let priorityAdvice = "of a service: LimitRTPRIO=20 in its unit; of a login: the line \"@audio - rtprio 20\" in "
        + "/etc/security/limits.d/thrum.conf, the user in the group audio, and a new login"

    private static func priority(_ output: StatusReport.Output) -> Diagnosis {
        if output.isRealtime { return .ok(.limits, "thrumd has real-time priority") }
        if output.kind == .null { return .ok(.limits, "thrumd has no real-time priority, and plays into nothing: none is needed") }
        return .problem(.limits, "thrumd has no real-time priority: a busy machine may be heard", advice: priorityAdvice)
    }

    private static var priorityHere: Diagnosis {
        if isPriorityGranted { return .ok(.limits, "real-time priority is granted to this shell, though perhaps not to a service") }
        let limit = limit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue))
        return .problem(.limits, "real-time priority \(neededPriority) is not granted to this shell, though perhaps to a service: its "
                            + "RLIMIT_RTPRIO is \(limit)", advice: priorityAdvice)
    }

    /// Tried, because a capability may grant it beside the limit, and a control group refuse it.
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
                        advice: "of a service: LimitMEMLOCK=infinity in its unit; of a login: the line \"@audio - memlock unlimited\" in "
                            + "/etc/security/limits.d/thrum.conf, the user in the group audio, and a new login")
    }

    private static func limit(_ resource: __rlimit_resource_t) -> rlim_t {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0
    }
}
