import Foundation

/// A real PostgreSQL of a test's own, which can be killed and started again on the same data.
public final class PrivatePostgres {
    private let scratch: Scratch
    private var server: Running?
    /// PostgreSQL refuses to run as root.
    private let asUser = geteuid() == 0 ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] : []

    private var data: String { scratch.file("data") }

    /// Debian has a folder for each version, and none of them in PATH.
    private static let programs = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))
        .flatMap { $0.compactMap { Int($0) }.max() }.map { "/usr/lib/postgresql/\($0)/bin/" } ?? ""

    public init() async throws {
        scratch = try Scratch()
        // The server's user has to reach its folder in there.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path)
        if !asUser.isEmpty { try Self.check(run("install", ["-d", "-o", "postgres", "-m", "700", data])) }
        let words = asUser + [Self.programs + "initdb", "-D", data, "-A", "trust", "-U", "thrum", "-E", "UTF8", "--locale", "C", "--no-sync"]
        try Self.check(run(words[0], Array(words.dropFirst())))
        try await start()
    }

    /// PostgreSQL that is killed leaves its shared memory to the system.
    deinit {
        server?.signal(SIGINT)
        _ = server?.finish()
    }

    private static func check(_ finished: Finished) throws {
        guard finished.status == 0 else { throw ProgramMissing(description: finished.errors) }
    }

    /// The server's address for libpq.
    public var address: String { "host=\(data) user=thrum dbname=postgres" }

    /// Starts the server. Right after a kill it may be refused until its former children have ended: then it is started again.
    public func start() async throws {
        let words = asUser + [Self.programs + "postgres", "-D", data, "-k", data, "-c", "listen_addresses="]
        for _ in 0..<20 {
            let started = try Running(words[0], Array(words.dropFirst()))
            server = started
            for _ in 0..<100 {
                if try query("SELECT 1") == "1" { return }
                if started.errors.contains("FATAL:  pre-existing shared memory") { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            kill()
        }
        throw ProgramMissing(description: "PostgreSQL does not start")
    }

    /// Pulls the plug.
    public func kill() {
        server?.signal(SIGKILL)
        _ = server?.finish()
        server = nil
    }

    /// Returns what psql prints for a statement, unaligned, without headings; nil where that fails.
    public func query(_ statement: String) throws -> String? {
        let finished = try run(Self.programs + "psql", ["-h", data, "-U", "thrum", "-d", "postgres", "-AtXq", "-v", "ON_ERROR_STOP=1", "-c", statement])
        return finished.status == 0 ? finished.text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }
}

/// A real mosquitto of a test's own, which can be killed and started again. It keeps nothing.
public final class PrivateMosquitto {
    public let port: Int
    private let scratch: Scratch
    private var server: Running?

    /// `settings` are further lines of its configuration, those of the listener.
    public init(settings: String = "allow_anonymous true", in scratch: Scratch) async throws {
        self.scratch = scratch
        port = freePort()
        // It gives up root for a user that cannot read the test's folder.
        let user = geteuid() == 0 ? "user root\n" : ""
        _ = try scratch.write("\(user)listener \(port) 127.0.0.1\n\(settings)\n", to: "mosquitto.conf")
        try await start()
    }

    deinit { server?.signal(SIGKILL) }

    /// What it has logged since its last start.
    public var log: String { server?.errors ?? "" }

    public func start() async throws {
        let started = try Running(FileManager.default.fileExists(atPath: "/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto",
                                  ["-v", "-c", scratch.file("mosquitto.conf")])
        server = started
        guard try await eventually({ started.errors.contains(/mosquitto version \S+ running/) })
        else { throw ProgramMissing(description: "mosquitto does not start: \(started.errors)") }
    }

    /// Pulls the plug.
    public func kill() {
        server?.signal(SIGKILL)
        _ = server?.finish()
    }
}
