import Files
import Glibc
import SystemPackage

/// The programs of Thrum that this one runs.
enum OtherProgram {
    /// Returns the path of a program: of the one beside this program, or else its name, to be looked for in PATH.
    static func path(of name: String) -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else { return name }
        defer { free(resolved) }
        let beside = FilePath(platformString: resolved).removingLastComponent().appending(name)
        return beside.isThere ? beside.string : name
    }
}
