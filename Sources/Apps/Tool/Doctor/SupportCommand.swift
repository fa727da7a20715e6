import ArgumentParser
import Files
import FoundationEssentials
import Glibc
import SystemPackage
import Wire

struct SupportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support",
        abstract: "Collect what somebody who helps needs to know, in one file.",
        discussion: """
            The file is a compressed tar of what `thrum status`, `settings`, `log` and `doctor` say, of what systemd's journal has of \
            Thrum's units, of the versions of the kernel and of packages, and of the newest journals. Each part is there as far as this \
            user may have it, so root has most. A daemon that is away or hangs keeps none of the others out; notes.txt says what is \
            missing, and why.

            No token, key, invitation or household's secret is in it. Journals say what visitors have done, and how their households are \
            called: with --journals 0 there is none.

            EXAMPLES
              thrum support
              thrum support -o hall-3.tar.gz --journals 3
              thrum support -o - | ssh office tee hall-3.tar.gz >/dev/null
            """)

    @Option(name: .shortAndLong, help: "The file; - for standard output. (default: named after the machine and the time)")
    var output: FileArgument?

    @Option(help: "So many of the newest journals, 0 to 1,000, as long as they take up no more than 64 MiB.")
    var journals = 10

    @Option(help: "All within so many seconds, 30 to 3,600; what hangs is ended and noted earlier then. (default: as long as it takes)")
    var within: Int32?

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    @OptionGroup var settings: SettingsOption

    @Option(help: "PulseAudio server. (default: the user's own)")
    var server: String?

    @OptionGroup var daemon: DaemonSocket

    @OptionGroup var folder: SessionsOption

    func validate() throws {
        guard (0...1_000).contains(journals) else { throw ValidationError("--journals: expected 0 to 1,000, found \(journals)") }
        guard (30...3_600).contains(within ?? 30) else {
            throw ValidationError("--within: expected 30 to 3,600, found \(within ?? 0)")
        }
    }

    func run() throws {
        let name = "thrum-support-\(Self.host)-" + InstantText.local(time(nil), "%Y-%m-%dT%H-%M-%S")
        let output = output ?? FileArgument(argument: name + ".tar.gz")
        let bundle: SupportBundle
        do {
            bundle = try SupportBundle(named: name, within: within, in: ProcessInfo.processInfo.environment)
        } catch {
            throw failure("a folder for what is collected cannot be made: \(error)", Exit.cannotCreate)
        }
        collect(into: bundle)
        guard !output.isStandardStream else { return try bundle.pack(into: .standardOutput) }
        try create(output.path, from: nil, replaces: force) { file in
            // Journals are not everybody's to read.
            _ = fchmod(file.rawValue, 0o600)
            try bundle.pack(into: file)
        }
        let missing = bundle.notes.count
        print("\(output)" + (missing == 0 ? "" : ": notes.txt in it names what could not be had (\(missing))"))
    }

    private func collect(into bundle: SupportBundle) {
        let program = ProgramFiles.program("thrum")
        let socket = Self.words(("--socket", daemon.socket))
        let options = socket + Self.words(("--config", settings.config), ("--server", server), ("--sessions", folder.sessions?.description))
        bundle.add("version.txt", from: program, ["--version"])
        bundle.add("status.json", from: program, ["status", "--json"] + socket)
        bundle.add("settings.json", from: program, ["settings", "--json"] + socket)
        bundle.add("log.jsonl", from: program, ["log", "--json"] + socket)
        bundle.add("doctor.txt", from: program, ["doctor"] + options)
        bundle.add("kernel.txt", from: "uname", ["--all"])
        bundle.add("system.txt", from: "cat", ["/etc/os-release"])
        bundle.add("packages.txt", from: "dpkg-query", ["--show", "--showformat", "${db:Status-Abbrev} ${binary:Package} ${Version}\\n"])
        let units = ["thrumd.socket", "thrumd.service", "thrum-sound.service", "thrum-kiosk.service"]
        bundle.add("units.txt", from: "systemctl", ["--no-pager", "--full", "--lines=0", "status"] + units)
        bundle.add("system-log.txt", from: "journalctl",
                   ["--no-pager", "--output=short-iso-precise", "--lines=5000"] + units.map { "--unit=" + $0 })
        guard journals > 0 else { return }
        bundle.add("journal-path.json", from: program, ["send", "--result", "journal.path"] + socket)
        let reported = bundle.decode(JournalAnswer.self, from: "journal-path.json").map { FilePath($0.folder) }
        guard let journalFolder = folder.sessions?.path ?? reported ?? folder.path else {
            return bundle.note("journals: nobody says where they are")
        }
        bundle.add(journalsIn: journalFolder, atMost: journals)
    }

    private static func words(_ options: (String, String?)...) -> [String] {
        options.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }

    /// The machine's name for use in file names: all but letters, digits and `-` is replaced by `-`.
    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "machine" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.joined(separator: "-")
    }
}
