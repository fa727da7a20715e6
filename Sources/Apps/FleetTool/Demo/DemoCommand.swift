import ArgumentParser
import Database
import Escaping
import Files
import Fleet
import Glibc
import Journal
import JournalFile
import Processes
import Signals
import SystemPackage

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Three stations, a hub, a broker and a database, for a minute, on this machine.",
        discussion: """
            Makes up visits with `thrum simulate`, sends them, and prints how many events are in the journals and how many in the table. \
            Needs mosquitto and PostgreSQL; both run privately, in a folder of their own, and are gone afterwards.
            """)

    @Option(help: "The visits at each station, 1 to 1000.")
    var visits = 4

    @Option(help: "The turns of each visit at most, 1 to 100000.")
    var turns = 300

    func validate() throws {
        guard (1...1_000).contains(visits) else { throw ValidationError("--visits: expected 1 to 1000, found \(visits)") }
        guard (1...100_000).contains(turns) else { throw ValidationError("--turns: expected 1 to 100000, found \(turns)") }
    }

    func run() throws {
        Interruption.watch()
        do {
            try DemoFleet(visits: visits, turns: turns).run()
        } catch let problem as DemoFleet.Problem {
            throw failure(problem.description, Exit.unavailable)
        } catch let problem as Errno {
            throw failure("\(problem)", Exit.unavailable)
        } catch let problem as DatabaseProblem {
            throw failure("the database: \(problem)", Exit.unavailable)
        }
    }
}

/// The demo's programs and its folder.
private struct DemoFleet {
    struct Problem: Error, CustomStringConvertible { let description: String }

    private static let stations = ["hall-1", "hall-2", "hall-3"]

    let visits: Int
    let turns: Int

    func run() throws {
        var template = Array("/tmp/thrum-fleet-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
        let folder = FilePath(platformString: made)
        defer { _ = try? FinishedProcess(running: "rm", ["-rf", folder.string], environment: Self.environment) }
        // The database's own user has to reach its folder in here.
        guard chmod(folder.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
        try simulate(in: folder)
        let (port, servers) = (try Self.freePort(), try DemoServers(in: folder, environment: Self.environment))
        let broker = try servers.broker(on: port)
        let database = try servers.database()
        defer { Self.end(database) }
        let address = "mqtt://127.0.0.1:\(port)"
        let programs = [["hub", "--broker", address, "--database", servers.databaseAddress]] + Self.stations.map { station in
            ["station", "--name", station, "--broker", address, "--socket", "none",
             "--sessions", folder.appending(station).string, "--state", folder.appending("\(station).json").string]
        }
        let running = try programs.map { try ChildProcess(OtherProgram.path(of: "thrum-fleet"), $0, environment: Self.environment) }
        print("A broker, a database, a hub and \(Self.stations.count) stations run.")
        defer { for program in running { program.kill() } }
        try compare(in: folder, servers.databaseAddress)
        withExtendedLifetime(broker) {}
    }

    /// Asks the database to end, and waits up to ten seconds. A database that is killed at once would leave its shared memory behind.
    private static func end(_ database: ChildProcess) {
        kill(database.identifier, SIGINT)
        for _ in 0..<100 where database.isRunning { usleep(100_000) }
    }

    private static var environment: [String: String] {
        ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/sbin:/usr/bin:/sbin:/bin"]
    }

    private func simulate(in folder: FilePath) throws {
        print("Visitors come to \(Self.stations.count) halls, \(visits) to each …")
        for (index, station) in Self.stations.enumerated() {
            let journals = folder.appending(station)
            try journals.makeDirectories()
            for visit in 0..<visits {
                let seed = index * visits + visit
                let words = ["simulate", "--seed", "\(seed)", "--turns", "\(turns)", "-o", journals.appending("\(seed).jsonl").string]
                let simulated = try FinishedProcess(running: OtherProgram.path(of: "thrum"), words, environment: Self.environment,
                                                    timeout: 120)
                guard simulated.status == 0 else { throw Problem(description: "thrum simulate: \(simulated.complaint)") }
            }
        }
    }

    /// Waits up to five minutes until the table has all rows of the journals, and prints the counts of both.
    private func compare(in folder: FilePath, _ address: String) throws {
        let expected = try Self.stations.map { station in
            try SessionFolder(folder.appending(station)).sessions().reduce(0) { try $0 + Self.events(in: $1.path) }
        }
        let database = try DatabaseConnection(address)
        var found = Self.stations.map { _ in 0 }
        let names = "{" + StandardEvents.current.sorted().joined(separator: ",") + "}"
        for _ in 0..<3_000 where found != expected && !Interruption.hasCome {
            usleep(100_000)
            let counting = "SELECT station, count(*) FROM thrum.event WHERE event = ANY ($1) GROUP BY station"
            guard let rows = try? database.run(counting, [names]) else { continue }
            found = Self.stations.map { station in rows.first { $0[0] == station }.flatMap { $0[1] }.flatMap { Int($0) } ?? 0 }
        }
        print("station  journals  events in them  in the table")
        for (index, station) in Self.stations.enumerated() {
            let numbers = ["\(visits)", "\(expected[index])", "\(found[index])"]
            print(station.padded(to: 9) + zip(numbers, [10, 16, 0]).map { $0.padded(to: $1) }.joined())
        }
        guard found == expected, !found.contains(0) else { throw Problem(description: "the table does not have what the journals have") }
    }

    private static func events(in journal: FilePath) throws -> Int {
        var scan = try JournalScan(journal)
        var count = 0
        while let entry = try scan.next() {
            if case .event(let event, _, _, _) = entry, StandardEvents.current.contains(event.kind.name) { count += 1 }
        }
        return count
    }

    /// Returns a port of 127.0.0.1 that is free now.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Errno(rawValue: errno) }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}

/// The broker and the database of the demo.
private struct DemoServers {
    private let folder: FilePath
    private let environment: [String: String]
    private let programs: String
    private let data: FilePath

    init(in folder: FilePath, environment: [String: String]) throws {
        (self.folder, self.environment) = (folder, environment)
        data = folder.appending("database")
        // Debian has a folder for each version, and none of them in PATH.
        let versions = (try? FilePath("/usr/lib/postgresql").names())?.compactMap { Int($0.string) } ?? []
        programs = versions.max().map { "/usr/lib/postgresql/\($0)/bin/" } ?? ""
    }

    var databaseAddress: String { "host=\(data) user=thrum dbname=postgres" }

    func broker(on port: Int) throws -> ChildProcess {
        let file = folder.appending("mosquitto.conf")
        // mosquitto gives up root for a user that need not exist.
        let text = "listener \(port) 127.0.0.1\nallow_anonymous true\nlog_dest none\n" + (geteuid() == 0 ? "user root\n" : "")
        try PlainFile.replace(file, with: Array(text.utf8), [.ownerReadWrite])
        let sbin = FilePath("/usr/sbin/mosquitto")
        return try ChildProcess(sbin.isThere ? sbin.string : "mosquitto", ["-c", file.string], environment: environment)
    }

    func database() throws -> ChildProcess {
        // PostgreSQL refuses to run as root.
        var asUser: [String] = []
        if geteuid() == 0 {
            asUser = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"]
            try finish(["install", "-d", "-o", "postgres", "-m", "700", data.string])
        }
        try finish(asUser + [programs + "initdb", "-D", data.string, "-A", "trust", "-U", "thrum", "-E", "UTF8", "--locale", "C",
                             "--no-sync"])
        let words = asUser + [programs + "postgres", "-D", data.string, "-k", data.string, "-c", "listen_addresses=",
                              "-c", "log_min_messages=panic"]
        let server = try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
        for _ in 0..<300 {
            if (try? DatabaseConnection(databaseAddress)) != nil { return server }
            usleep(100_000)
        }
        throw DemoFleet.Problem(description: "PostgreSQL does not start")
    }

    private func finish(_ words: [String]) throws {
        let finished = try FinishedProcess(running: words[0], Array(words.dropFirst()), environment: environment, timeout: 60)
        guard finished.status == 0 else { throw DemoFleet.Problem(description: "\(words[0]): \(finished.complaint)") }
    }
}
