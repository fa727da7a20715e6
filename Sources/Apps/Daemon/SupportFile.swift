import Files
import FoundationEssentials
import Glibc
import Processes
import SystemPackage

/// Has the program `thrum` beside this one make the file of `thrum support`, because people at the console have no shell. Thread: any.
struct SupportFile: Sendable {
    /// The error that there is no file, with the reason in words.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// The time in seconds within which `thrum support` is told to finish by itself.
    static let time: Int32 = 50

    /// The path of this daemon's control socket.
    var socket: String
    /// The settings file that a flag of this daemon names; nil where it reads those in the usual places.
    var config: String?
    var environment: [String: String]
    var program = ProgramFiles.program("thrum")
    /// The time in seconds after which `thrum support` is killed, if it has not finished.
    var timeout = Self.time + 10

    /// Runs `thrum support`, which takes seconds, and returns the descriptor of the complete file. The file has no name any more. Throws
    /// `Missing` or `Errno`.
    func make() throws -> CInt {
        var template = Array(((environment["TMPDIR"] ?? "/tmp") + "/thrumd-support-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } ?? "" }
        // A program that is killed leaves a folder of its own in this one.
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        let file = try FileDescriptor.open(folder.appending("file"), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                                           permissions: .ownerReadWrite)
        do {
            // A child has this process's niceness and its bias when memory runs out, by which sound comes before everything. Here it is
            // the other way round: 39 leads to 19, the highest niceness, from any other.
            let modestly = ["-n", "500", "--", "nice", "-n", "39", program]
            let ended = try FinishedProcess(running: "choom", modestly + words,
                                            environment: environment.merging(["TMPDIR": folder.string]) { $1 },
                                            output: file, timeout: timeout)
            guard ended.status == 0 else { throw Missing(description: "thrum support: exit status \(ended.status): \(ended.complaint)") }
            return file.rawValue
        } catch {
            try? file.close()
            throw error
        }
    }

    private var words: [String] {
        ["support", "--output", "-", "--within", "\(Self.time)", "--socket", socket] + (config.map { ["--config", $0] } ?? [])
    }
}
