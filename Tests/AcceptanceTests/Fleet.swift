import Foundation
import Testing
import TestSupport

/// A broker, a database, a hub and stations, all real, which can be killed one by one.
final class Fleet {
    enum Part: CaseIterable { case broker, database, hub, station }

    let stations = ["hall-1", "hall-2", "hall-3"]
    let scratch: Scratch
    let postgres: PrivatePostgres
    private let mosquitto: PrivateMosquitto
    private var hub: Running?
    private var secondHub: Running?
    private var running: [String: Running] = [:]

    private let hubOptions: [String]
    private let stationOptions: [String]

    /// `broker` are settings of its listener, `hub` and `station` further options of those programs.
    init(broker: String = "allow_anonymous true", hub hubOptions: [String] = [], station stationOptions: [String] = ["--socket", "none"]) async throws {
        (self.hubOptions, self.stationOptions) = (hubOptions, stationOptions)
        scratch = try Scratch()
        postgres = try await PrivatePostgres()
        mosquitto = try await PrivateMosquitto(settings: broker, in: scratch)
        for station in stations { try FileManager.default.createDirectory(atPath: scratch.file(station), withIntermediateDirectories: false) }
        hub = try startHub()
        for station in stations { running[station] = try start(station) }
    }

    private var broker: [String] { ["--broker", "mqtt://127.0.0.1:\(mosquitto.port)"] }

    private func startHub() throws -> Running {
        try Running(Programs.thrumFleet, ["hub", "--database", postgres.address] + broker + hubOptions)
    }

    private func start(_ station: String) throws -> Running {
        try Running(Programs.thrumFleet, ["station", "--name", station, "--sessions", scratch.file(station), "--state", scratch.file("\(station).json"),
                                          "--patience", "0.5"] + broker + stationOptions)
    }

    func publish(_ payload: String, to topic: String) throws { try publish(["-t", topic, "-m", payload]) }

    /// Has the broker forget a retained message.
    func clear(_ topic: String) throws { try publish(["-r", "-n", "-t", topic]) }

    /// Publishes by mosquitto's own program.
    private func publish(_ words: [String]) throws {
        let finished = try run("mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(mosquitto.port)", "-V", "5", "-q", "1"] + words)
        #expect(finished.status == 0, "\(finished.errors)")
    }

    func startSecondHub() throws { secondHub = try startHub() }

    /// Kills a part at once; of two hubs the first.
    func kill(_ part: Part, _ station: String) {
        switch part {
        case .broker: mosquitto.kill()
        case .database: postgres.kill()
        case .hub: hub?.signal(SIGKILL)
        case .station: running[station]?.signal(SIGKILL)
        }
    }

    func restart(_ part: Part, _ station: String) async throws {
        switch part {
        case .broker: try await mosquitto.start()
        case .database: try await postgres.start()
        case .hub: hub = try startHub()
        case .station: running[station] = try start(station)
        }
    }

    /// Ends a station by `signal`, and waits for its end.
    func end(_ station: String, by signal: Int32) async -> Finished? {
        running[station]?.signal(signal)
        return await running[station]?.finished()
    }

    /// What the hub and the stations have said.
    var said: String { ([hub] + stations.map { running[$0] }).compactMap { $0?.errors }.joined() }

    /// Puts a finished journal into a station's folder, whole, as a rename does.
    func put(_ text: String, as name: String, at station: String) throws {
        let file = try scratch.write(text, to: "new")
        try FileManager.default.moveItem(atPath: file, toPath: scratch.file("\(station)/\(name).jsonl"))
    }

    /// The lines of each journal that are scrolls in the table: `STATION JOURNAL: LINE,LINE…`.
    func table() throws -> Set<String>? {
        try postgres.query("""
            SELECT station || ' ' || journal || ': ' || string_agg(line::text, ',' ORDER BY line)
            FROM thrum.event WHERE event IN ('feed.scroll', 'swipe') GROUP BY station, journal
            """).map { Set($0.split(separator: "\n").map(String.init)) }
    }
}
