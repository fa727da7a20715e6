import ArgumentParser
import Broker
import Database
import Fields
import Fleet
import Glibc
import Processes

struct HubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Write the rows of all stations to PostgreSQL.",
        discussion: """
            The tables are made, and brought up to date, at the start. A station is answered when its rows are committed. Several hubs may \
            run: each row is in the table once. Alarms are said on standard error, and are in the table thrum.alarm: a station that is \
            gone, an issue of its thrumd, and a clock that differs from this machine's by more than 2 s.

            EXAMPLES
              thrum-fleet hub --broker mqtt://localhost --database postgresql:///thrum
            """)

    @OptionGroup var broker: BrokerOptions

    @Option(help: "The database, as a connection string or URI of libpq.")
    var database: String

    @Option(help: """
        The seconds after which a station that is not connected is an alarm, 1 to 86400. One that is connected is an alarm after 150 s of \
        silence, or after these seconds where they are more.
        """)
    var goneAfter = 60.0

    func validate() throws {
        guard (1...86_400).contains(goneAfter) else { throw ValidationError("--gone-after: expected 1 to 86400, found \(goneAfter)") }
    }

    func run() throws {
        Interruption.watch()
        var running = RunningHub(at: try broker.address, database, goneAfter: .seconds(goneAfter))
        running.run()
    }
}

/// A hub that runs. One thread uses it, and waits for the broker and for the database in turn. The hub keeps no data that could be lost:
/// stations send rows again that were not written.
struct RunningHub {
    /// The largest number of batches in one transaction.
    private static let mostBatches = 64

    private let address: BrokerAddress
    private let database: String
    private let watch = Stopwatch()
    private var toBroker = Retry("the broker")
    private var toDatabase = Retry("the database")
    private var connection: BrokerConnection?
    private var isAccepted = false
    private var tables: (database: DatabaseConnection, events: EventTable, stations: StationTable, closings: ClosingTable)?
    /// Whether the table has been written since it was opened: an open connection alone proves nothing.
    private var isProven = false
    private var book: StationBook
    private var arrivals: [EventTable.Arrival] = []
    private var closings = ClosingDesk()

    /// `goneAfter` is the time after which a station that is not connected is an alarm.
    init(at address: BrokerAddress, _ database: String, goneAfter: Duration) {
        (self.address, self.database) = (address, database)
        book = StationBook(goneAfter: goneAfter)
    }

    /// Runs until a signal comes.
    mutating func run() {
        while !Interruption.hasCome {
            openTable()
            turn()
            if isAccepted { book.watch(at: watch.now) }
            write()
        }
        if isAccepted { connection?.end() }
    }

    private mutating func openTable() {
        guard tables == nil, toDatabase.isDue(at: watch.now) else { return }
        do throws(DatabaseProblem) {
            let opened = try DatabaseConnection(database)
            try opened.migrate()
            tables = (opened, try EventTable(opened), StationTable(opened), ClosingTable(opened))
            isProven = false
            book.repeatAll()
        } catch {
            toDatabase.failed(error, at: watch.now)
        }
    }

    /// Tells the stations that the hub takes rows now.
    private mutating func greet() {
        guard isAccepted, tables != nil, isProven else { return }
        attempt { connection throws(BrokerProblem) in try connection.publish(FleetTopic.hub.text, Array("{}".utf8)) }
    }

    /// Receives messages from the broker: waits for the first, and takes all that have arrived by then.
    private mutating func turn() {
        if connection == nil, toBroker.isDue(at: watch.now) {
            do throws(BrokerProblem) {
                // A topic and a header come on top of the payload.
                let largest = UInt32(BatchRoom.largestPayload + 1_024)
                connection = try BrokerConnection(to: address, as: nil, largestPacket: largest)
            } catch {
                toBroker.failed(error, at: watch.now)
            }
        }
        guard connection != nil else {
            usleep(50_000)
            return
        }
        var wait = 100
        // At least once, whatever waits: the connection lives by its turns.
        repeat {
            var events: [BrokerConnection.Event] = []
            attempt { connection throws(BrokerProblem) in events = try connection.turn(wait) }
            for event in events { take(event) }
            guard !events.isEmpty else { break }
            wait = 0
        } while arrivals.count + closings.count < Self.mostBatches
    }

    /// Has the connection do something. After a failure the connection counts as ended.
    private mutating func attempt(_ body: (BrokerConnection) throws(BrokerProblem) -> Void) {
        guard let connection else { return }
        do throws(BrokerProblem) {
            try body(connection)
        } catch {
            toBroker.failed(error, at: watch.now)
            self.connection = nil
            isAccepted = false
        }
    }

    private mutating func take(_ event: BrokerConnection.Event) {
        switch event {
        case .accepted:
            isAccepted = true
            toBroker.succeeded()
            book.reconnect(at: watch.now)
            attempt { connection throws(BrokerProblem) in
                try connection.subscribe(FleetTopic.allStates)
                try connection.subscribe(FleetTopic.allReports)
                try connection.subscribe(FleetTopic.allRows)
                try connection.subscribe(FleetTopic.allClosings)
            }
            greet()
        case .acknowledged: break
        case .message(let topic, let payload, let isOld):
            do throws(Fault) {
                switch FleetTopic(topic) {
                // Whoever takes a station out of service clears its retained topics so.
                case .state where payload.isEmpty, .reported where payload.isEmpty: break
                case .rows(let station): arrivals.append(EventTable.Arrival(try RowBatch(payload), of: station))
                case .state(let station): book.take(try StationState(payload), of: station, isOld: isOld, at: watch.now)
                case .reported(let station):
                    book.take(try StationReport(payload), of: station, isOld: isOld, at: watch.now, clock: WallClock.microseconds)
                case .closed(let station): try closings.take(try SignedClosing(payload, of: station))
                case .committed, .kept, .hub, nil: break
                }
            } catch {
                say("\(topic): \(error)")
            }
        }
    }

    /// Writes the arrivals to the table, and confirms them to the stations. Drops what cannot be written: stations send it again.
    private mutating func write() {
        defer {
            arrivals.removeAll()
            closings.removeAll()
        }
        guard let tables, !book.isWritten || !arrivals.isEmpty || !closings.isIdle(at: watch.now) else { return }
        do throws(DatabaseProblem) {
            try book.write(to: tables.stations, at: watch.now)
            do throws(DatabaseProblem) {
                if !arrivals.isEmpty { answer(arrivals, try tables.events.write(arrivals)) }
            } catch {
                guard error.state != nil, tables.database.isOpen else { throw error }
                try writeSingly(to: tables.events, on: tables.database)
            }
            try writeClosings(to: tables.closings, on: tables.database)
            guard !isProven else { return }
            isProven = true
            toDatabase.succeeded()
            greet()
        } catch {
            toDatabase.failed(error, at: watch.now)
            self.tables = nil
        }
    }

    /// Writes the arrivals one by one, after the database has refused one of them, so that the others are written all the same.
    private mutating func writeSingly(to events: EventTable, on database: DatabaseConnection) throws(DatabaseProblem) {
        for arrival in arrivals {
            do throws(DatabaseProblem) {
                answer([arrival], try events.write([arrival]))
            } catch {
                guard !error.isOfServer, database.isOpen else { throw error }
                let journals = arrival.batch.parts.map(\.journal).joined(separator: ", ")
                say("rows of \(arrival.station), \(journals): \(error)")
            }
        }
    }

    /// Writes what stations have signed, and answers them.
    private mutating func writeClosings(to table: ClosingTable, on database: DatabaseConnection) throws(DatabaseProblem) {
        guard !closings.isIdle(at: watch.now) else { return }
        do throws(DatabaseProblem) {
            for (station, kept) in try closings.write(to: table, at: watch.now) {
                attempt { connection throws(BrokerProblem) in try connection.publish(FleetTopic.kept(station).text, kept.payload) }
            }
        } catch {
            guard !error.isOfServer, database.isOpen else { throw error }
            say("closings: \(error)")
        }
    }

    private mutating func answer(_ arrivals: [EventTable.Arrival], _ committed: [Committed]) {
        for (arrival, committed) in zip(arrivals, committed) {
            attempt { connection throws(BrokerProblem) in
                try connection.publish(FleetTopic.committed(arrival.station).text, committed.payload)
            }
        }
    }
}
