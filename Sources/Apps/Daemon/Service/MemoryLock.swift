import Glibc
import SystemPackage

/// Keeps the pages that the daemon has used in memory, where that is allowed without limit: fetching one from swap takes too long for
/// sound. With a limit nothing is locked, since reaching it would make allocations fail.
func lockMemory() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == rlim_t.max || geteuid() == 0 else { return }
    // Each page when it is first used (MCL_ONFAULT, Linux 4.4): stacks are reserved in megabytes and used in kilobytes.
    let onFault: Int32 = 4
    mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault)
}

/// Gives back the pages of the program and its libraries that starting has touched: the parsers of flags and settings, the opening of the
/// database, of sockets and of the output. What is needed again is mapped again from the page cache. To be called when all is open, and
/// before memory is locked.
func forgetStartUp() {
    guard let file = try? FileDescriptor.open("/proc/self/maps", .readOnly) else { return }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while let count = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 { bytes += piece[..<count] }
    try? file.close()
    // proc_pid_maps(5): from-to permissions offset device inode path.
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard fields.count > 5, fields[1] == "r-xp", ends.count == 2 else { continue }
        madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), Int32(MADV_DONTNEED))
    }
}
