import ArgumentParser
import Files
import Fleet
import Glibc
import JournalFile
import Processes
import SystemPackage
import Wire

struct StationCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "station",
            abstract: "Send rows of this box's finished journals, and say how it is.",
            discussion: """
                The journals are the outbox: nothing is copied, and how far they have been sent is a small file. It moves on only when the \
                hub has committed. The station tells how its thrumd is, too. Sent are the beginning and the end of \
                each session, what was heard otherwise, and these events: \
                \(StandardEvents.current.sorted().joined(separator: ", ")). --event adds others.

                EXAMPLES
                  thrum-fleet station --name hall-3 --broker mqtt://hub.local
                  thrum-fleet station --name hall-3 --broker mqtts://hub.example --ca ca.pem --certificate hall-3.pem --key hall-3.key
                """)
    }

    @Option(help: "This box's name in the fleet: \(StationName.expected).")
    var name: String

    @OptionGroup var broker: BrokerOptions

    @Option(help: ArgumentHelp("The folder of journals. (default: that of thrumd's standard)", valueName: "folder"))
    var sessions: String?

    @Option(help: ArgumentHelp("What is kept from one start to the next. (default: fleet.json beside the folder of journals)",
                               valueName: "file"))
    var state: String?

    @Option(help: ArgumentHelp("An event to send as well; may be given several times.", valueName: "name"))
    var event: [String] = []

    @Option(help: """
        thrumd's control socket, where it is asked for its state; none for a station without. (default: $THRUM_SOCKET, or else \
        $XDG_RUNTIME_DIR/thrum/control.sock, or else \(SocketPath.system))
        """)
    var socket: String?

    @Option(help: "The seconds without an answer after which rows are sent again, 0.1 to 3600; they double up to fifteen times that.")
    var patience = 2.0

    func validate() throws {
        guard StationName(name) != nil else { throw ValidationError("--name: expected \(StationName.expected), found \"\(name)\"") }
        guard (0.1...3_600).contains(patience) else { throw ValidationError("--patience: expected 0.1 to 3600, found \(patience)") }
    }

    func run() throws {
        guard let station = StationName(name) else { throw ExitCode.validationFailure }
        let environment = ["XDG_STATE_HOME", "HOME", "XDG_RUNTIME_DIR", "THRUM_SOCKET"].reduce(into: [String: String]()) { found, name in
            found[name] = getenv(name).map { String(cString: $0) }
        }
        guard let folder = sessions.map({ FilePath($0) }) ?? SessionFolder.standard(environment) else {
            throw failure("--sessions: expected the folder of journals, because HOME is not set", .validationFailure)
        }
        let file = state.map { FilePath($0) } ?? folder.removingLastComponent().appending("fleet.json")
        let lock: FileLock
        do {
            try file.removingLastComponent().makeDirectories()
            guard let taken = try FileLock.take(file.string + ".lock") else {
                throw failure("--state: another station has \(file)", Exit.alreadyRuns)
            }
            lock = taken
        } catch let problem as Errno {
            throw failure("--state: \(file): \(problem)", Exit.cannotCreate)
        }
        Interruption.watch()
        let wanted = StandardEvents.current.union(event)
        var running = RunningStation(station, at: try broker.address, journals: StationJournals(SessionFolder(folder), events: wanted),
                                     file: StationFile(file), daemon: link(environment), key: key(beside: file),
                                     Outbox.RetryDelays(first: .seconds(patience), longest: .seconds(patience * 15)))
        running.run()
        withExtendedLifetime(lock) {}
    }

    /// Returns the key that signs the closings of days: the one in the folder of the state file, which is made there if it is missing. Its
    /// name is not that of the box's own key, because a station that is run by hand has its state file in `thrumd`'s folder. Where it
    /// cannot be read or made, says so and returns nil; then no day is closed.
    private func key(beside file: FilePath) -> JournalKey? {
        let (folder, name) = (file.removingLastComponent(), "station-key.pem")
        do {
            return try JournalKey(in: folder, named: name)
        } catch {
            say("\(folder.appending(name)): \(error); no day is closed")
            return nil
        }
    }

    private func link(_ environment: [String: String]) -> DaemonLink? {
        guard socket != "none" else { return nil }
        return DaemonLink(socket ?? SocketPath.sought(environment) { FilePath($0).isThere })
    }
}

/// The file in which a station keeps its memory, for instance how far each journal has been sent.
struct StationFile {
    /// The largest size in bytes of a file that is read. The file has about 150 bytes for each journal.
    private static let largest = 1 << 28

    private let path: FilePath

    init(_ path: FilePath) { self.path = path }

    /// Reads the memory. A file that cannot be read is reported; then, and where there is no file, the memory is empty and everything is
    /// sent again.
    var memory: StationMemory {
        do {
            return try StationMemory(PlainFile.bytes(of: path, atMost: Self.largest))
        } catch Errno.noSuchFileOrDirectory {
            return StationMemory()
        } catch {
            say("\(path.shown): \(error); everything is sent again")
            return StationMemory()
        }
    }

    /// Writes the memory. A failure is reported; then the next start sends some rows again.
    func keep(_ memory: StationMemory) {
        do {
            try PlainFile.replace(path, with: memory.text, [.ownerReadWrite, .groupRead])
        } catch {
            say("\(path.shown): \(error)")
        }
    }
}
