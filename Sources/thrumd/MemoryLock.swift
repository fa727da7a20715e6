import Glibc

/// Keeps the pages the daemon has used from being swapped out, where that is allowed without limit: fetching one back
/// takes longer than a sound can wait. With a limit nothing is locked, since reaching it would make allocations fail.
func lockMemory() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == rlim_t.max || geteuid() == 0 else { return }
    // Each page when it is first used (MCL_ONFAULT, Linux 4.4): stacks are reserved in megabytes and used in kilobytes.
    let onFault: Int32 = 4
    mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault)
}
