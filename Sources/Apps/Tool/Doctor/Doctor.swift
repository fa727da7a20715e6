import ArgumentParser
import Files
import Glibc
import SystemPackage

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether everything is there that thrumd needs, and say what to do about what is not.",
        discussion: """
            Looks at the daemon, the sound server and the cards, input devices, real-time limits, screens and what draws on them, the \
            disk and the settings. What is allowed depends on the user: run it as the one who runs thrumd, and with the flags and \
            variables that thrumd has. Exit status 0 if there is no problem, though there may be warnings; 1 otherwise.

            EXAMPLES
              thrum doctor
              thrum doctor --config /etc/thrum/thrum.yaml --sessions /var/lib/thrum/sessions
              thrum doctor --json | jq '.[] | select(.verdict == "problem")'
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var settings: SettingsOption

    @Option(help: "PulseAudio server. (default: the user's own)")
    var server: String?

    @OptionGroup var daemon: DaemonSocket

    @OptionGroup var folder: SessionsOption

    func run() async throws {
        let (status, findings) = await checkDaemon()
        let diagnoses = findings + checkSound(status) + checkDevices(status) + checkLimits(status) + checkScreens()
            + [checkDisk(), checkConfig()]
        if json {
            print(try JSONReport.text(diagnoses))
        } else {
            print(diagnoses.flatMap(\.lines).joined(separator: "\n"))
        }
        if diagnoses.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
    }

    /// The options that this command shares with thrumd, as words of thrumd's command line.
    var flags: [String] {
        [("--config", settings.config), ("--server", server), ("--socket", daemon.socket), ("--sessions", folder.sessions?.description)]
            .flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }
}

/// Reads the files and folders by which the kernel and packages describe the machine, in /proc, /sys and /etc. For a path that is missing
/// or may not be read, the functions return nil or nothing.
enum KernelFiles {
    /// The largest number of bytes that are read from a file.
    private static let largest = 1 << 18

    static func bytes(_ path: String) -> [UInt8]? { try? PlainFile.bytes(of: FilePath(path), atMost: largest) }

    static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the file's text, with each stretch of white space replaced by one space and none at the ends.
    static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the sorted names of the entries of a folder.
    static func names(_ folder: String) -> [String] { ((try? FilePath(folder).names()) ?? []).map(\.string).sorted() }

    static func isThere(_ path: String) -> Bool { FilePath(path).isThere }

    /// Returns the path with symbolic links resolved.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the processes whose program has one of `names`, in the order of their numbers.
    static func processes(named names: Set<String>) -> [(number: Int, name: String)] {
        Self.names("/proc").compactMap { Int($0) }.sorted().compactMap { number in
            word("/proc/\(number)/comm").flatMap { names.contains($0) ? (number, $0) : nil }
        }
    }
}
