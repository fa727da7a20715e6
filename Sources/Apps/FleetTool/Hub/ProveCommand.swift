import ArgumentParser
import Database
import Escaping
import Files
import Fleet
import Glibc
import Journal
import Processes
import SystemPackage

struct ProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Show that a journal is as it was when its day was over.",
        discussion: """
            When a day is over at its place, each station signs the digests of that day's journals, and a hub makes one root of all that \
            arrived on a day. This command makes the roots from the journal's day to that of the closing anew, and shows the way from the \
            journal to the last of them. With --journal it says whether a copy of the journal is still the same, and with --sound renders \
            that copy by `thrum render`. Ends with status 1 where something does not hold.

            EXAMPLES
              thrum-fleet prove 2026-01-31 hall-3 2026-01-31T12-00-00Z --database postgresql:///thrum --journal 2026-01-31T12-00-00Z.jsonl
            """)

    @Argument(help: "The day on which the session began, at its place, such as 2026-01-31.")
    var day: String

    @Argument(help: "The station.")
    var station: String

    @Argument(help: "The name of the journal without .jsonl; what the table of events has after a slash may follow.")
    var session: String

    @Option(help: "The database, as a connection string or URI of libpq.")
    var database: String

    @Option(help: ArgumentHelp("A copy of the journal.", valueName: "file.jsonl"))
    var journal: String?

    @Option(help: ArgumentHelp("A root that was kept elsewhere, as a hub has said it, with its day; may be given several times.",
                               valueName: "day=digits"))
    var root: [String] = []

    @Option(help: ArgumentHelp("""
        The key that has to have signed, by the SHA-256 of the public key in DER. (default: that of the station's first closing)
        """, valueName: "digits"))
    var key: String?

    @Option(help: ArgumentHelp("Where to render the journal's sound to, where it is as it was; with --journal.", valueName: "file.wav"))
    var sound: String?

    func validate() throws {
        guard StationName(station) != nil else { throw ValidationError("STATION: expected \(StationName.expected), found \"\(station)\"") }
        guard Closing.isDay(day) else { throw ValidationError("DAY: expected a day such as 2026-01-31, found \"\(day)\"") }
        for root in root where Self.dayAndRoot(root) == nil {
            throw ValidationError("--root: expected DAY=DIGITS, a day such as 2026-01-31 and 64 hexadecimal digits, found \"\(root)\"")
        }
        if let key, !Self.isDigest(key) { throw ValidationError("--key: expected 64 hexadecimal digits, found \"\(key)\"") }
        guard sound == nil || journal != nil else { throw ValidationError("--sound: expected together with --journal") }
    }

    private static func dayAndRoot(_ text: String) -> (String, String)? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && Closing.isDay(parts[0]) && isDigest(parts[1]) ? (parts[0], parts[1]) : nil
    }

    private static func isDigest(_ text: String) -> Bool { Hexadecimal.bytes(text.utf8)?.count == 32 }

    func run() throws {
        guard let station = StationName(self.station) else { throw ExitCode.validationFailure }
        let file = try journal.map { path in
            do {
                // A large file may take longer than what a file system is given to answer.
                let file = try PlainFile.open(FilePath(path))
                return DayProof.File(path: path, digest: Digest.hexadecimal(try file.closeAfter { try FileDigest.of(file) }))
            } catch {
                throw failure("--journal: \(path): \(error)", Exit.noInput)
            }
        }
        let roots = Dictionary(root.compactMap { Self.dayAndRoot($0) }, uniquingKeysWith: { first, _ in first })
        let question = DayProof.Question(session: session, station: station, day: day, key: key, roots: roots, file: file)
        let proof: DayProof
        do throws(DatabaseProblem) {
            let table = ClosingTable(try DatabaseConnection(database))
            proof = try DayProof(question, in: table.closings(of: station, on: day), firstKey: table.firstKey(of: station),
                                 days: { first, last throws(DatabaseProblem) in try table.days(from: first, through: last) })
        } catch {
            throw failure("the database: \(error)", Exit.unavailable)
        }
        for line in proof.lines { print(line.printable) }
        guard proof.flaws.isEmpty else { throw failure(proof.flaws.joined(separator: "\n"), .failure) }
        if let journal, let sound { try render(journal, to: sound) }
    }

    private func render(_ journal: String, to sound: String) throws {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let rendered = try FinishedProcess(running: OtherProgram.path(of: "thrum"), ["render", journal, "-o", sound],
                                           environment: ["PATH": path], timeout: 3600)
        guard rendered.status == 0 else { throw failure("thrum render: \(rendered.complaint)", .failure) }
        print("sound    \(sound)".printable)
    }
}
