import Glibc

/// Raises the number of files and sockets that this process may have open to the most it can get. Shells allow 1,024 for the sake of
/// programs that use `select`; this one does not.
func raiseOpenFiles() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    limit.rlim_cur = min(limit.rlim_max, 1 << 16)
    setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    return Int(min(limit.rlim_cur, 1 << 16))
}
