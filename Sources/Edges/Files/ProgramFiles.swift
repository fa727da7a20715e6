import Glibc
import SystemPackage

/// Files that came with the running program.
public enum ProgramFiles {
    /// The folder `name` of them: `share/thrum/NAME` beside the program's folder, or, for a program that was built in a clone, `NAME`
    /// beside the sources. Nil where there is none.
    public static func folder(_ name: String) -> FilePath? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let folder = folder(name, of: FilePath(platformString: resolved))
        return folder.withPlatformString { access($0, F_OK) } == 0 ? folder : nil
    }

    /// Where the files of `program` would be.
    static func folder(_ name: String, of program: FilePath) -> FilePath {
        var sources = program
        while !sources.components.isEmpty {
            let last = sources.lastComponent
            sources.removeLastComponent()
            if last == ".build" { return sources.appending(name) }
        }
        return program.removingLastComponent().removingLastComponent().appending("share/thrum").appending(name)
    }
}
