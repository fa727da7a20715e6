import Files
import Glibc
import SystemPackage

/// A process and its descendants, as /proc listed them when the value was made.
public struct ProcessFamily: Sendable {
    /// The processes, parents before their children. Descendants whose parent has ended are left out.
    public let members: [pid_t]

    public init(of root: pid_t) {
        var children: [pid_t: [pid_t]] = [:]
        for process in Self.processes() { if let parent = Self.parent(of: process) { children[parent, default: []].append(process) } }
        var members = [root]
        var next = 0
        while next < members.count {
            members += children[members[next]] ?? []
            next += 1
        }
        self.members = members
    }

    /// The memory of all members, in bytes. What several processes share counts in parts (proc(5), Pss).
    public var memory: Int {
        members.reduce(0) { sum, process in
            let line = Self.text("/proc/\(process)/smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
    }

    private static func processes() -> [pid_t] { ((try? FilePath("/proc").names()) ?? []).compactMap { pid_t($0.string) } }

    /// Reads the fourth field of /proc's line about a process. The second is the program's name, which may hold anything.
    private static func parent(of process: pid_t) -> pid_t? {
        let text = text("/proc/\(process)/stat")
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }

    /// Reads the first 4 KiB of a file; empty where the process has ended or is somebody else's.
    private static func text(_ path: String) -> String {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        defer { try? file.close() }
        let bytes = try? [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
