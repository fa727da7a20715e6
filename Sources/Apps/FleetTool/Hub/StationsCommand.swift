import ArgumentParser
import Database
import Escaping
import Fields
import Fleet

struct StationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stations",
        abstract: "Who is there, since when, what is wrong, and what waits.",
        discussion: """
            Reads the tables that a hub writes; instants are in UTC. With --json each station has its whole report.

            EXAMPLES
              thrum-fleet stations --database postgresql:///thrum
            """)

    @Option(help: "The database, as a connection string or URI of libpq.")
    var database: String

    @Flag(help: "Print one list in JSON.")
    var json = false

    func run() throws {
        do throws(DatabaseProblem) {
            let stations = try StationTable(DatabaseConnection(database)).stations()
            let lines = json ? [JSONValue.list(stations.map(\.json)).written] : StationLines(stations).lines
            for line in lines { print(line) }
        } catch {
            throw failure("the database: \(error)", Exit.unavailable)
        }
    }
}

/// Stations as lines for people: a heading, a line each, and a line below for each alarm.
struct StationLines {
    private static let heading = ["station", "there", "since", "piece", "theme", "journals waiting", "reported"]

    let lines: [String]

    init(_ stations: [StationTable.Station]) {
        var cells = [Self.heading]
        for station in stations {
            let engine: StationReport.Engine? = if case .there(let engine) = station.report?.daemon { engine } else { nil }
            let waiting = station.report.map { "\($0.journals)" } ?? "-"
            let row: [String] = [station.name, station.isAlive ? "yes" : "no", station.since, engine?.piece ?? "-", engine?.theme ?? "-",
                                 waiting, station.reportedAt ?? "never"]
            cells.append(row.map(\.printable))
        }
        let widths = Self.heading.indices.map { column in cells.reduce(0) { max($0, $1[column].columns) } }
        let rows = cells.map { row in
            let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        let alarms = stations.map { station in
            station.alarms.map { "  \($0.kind) since \($0.since): \($0.text)".printable }
        }
        lines = Array(rows.prefix(1)) + zip(rows.dropFirst(), alarms).flatMap { [$0] + $1 }
    }
}

extension StationTable.Station {
    /// The last report; nil where there is none, and where this version cannot read it.
    fileprivate var report: StationReport? { reported.flatMap { try? StationReport(Array($0.utf8)) } }

    fileprivate var json: JSONValue {
        let alarms = alarms.map { JSONValue.object(["kind": .text($0.kind), "since": .text($0.since), "text": .text($0.text)]) }
        return .object([
            "station": .text(name), "alive": .flag(isAlive), "since": .text(since), "version": .text(version),
            "reported": reported.flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .null,
            "reportedAt": reportedAt.map { .text($0) } ?? .null, "alarms": .list(alarms),
        ])
    }
}
