import Broker
import Fleet
import Glibc
import JournalFile
import Processes
import Wire

/// A station that runs. One thread uses it, and waits for the network and reads journals in turn.
struct RunningStation {
    /// The time between two looks into the folder of journals, and between two writings of the state file.
    private static let betweenLooks = Duration.seconds(2), betweenWritings = Duration.seconds(1)

    private let station: StationName
    private let address: BrokerAddress
    private let file: StationFile
    private var memory: StationMemory
    private var journals: StationJournals
    private var outbox: Outbox
    private var reporter: StationReporter
    private var sparing: StationSparing
    private var closings: StationClosings
    /// The number with which the broker will acknowledge the message that was published last with a batch; nil before the first such
    /// message.
    private var message: Int32?
    private let watch = Stopwatch()
    private var nextLook = Duration.zero
    /// The time at which the state file is to be written; nil while the file is up to date.
    private var writing: Duration?

    /// `daemon` leads to the `thrumd` whose state is reported, and which spares journals that are not sent; nil where the station has none.
    /// `key` signs the closings of days; nil for a station that closes none.
    init(_ station: StationName, at address: BrokerAddress, journals: StationJournals, file: StationFile, daemon: DaemonLink?,
         key: JournalKey?, _ retryDelays: Outbox.RetryDelays) {
        (self.station, self.address, self.journals, self.file) = (station, address, journals, file)
        reporter = StationReporter(daemon)
        sparing = StationSparing(daemon)
        closings = StationClosings(of: station, by: key, retryDelay: retryDelays.longest)
        memory = file.memory
        self.journals.remember(memory.journals)
        outbox = Outbox(retryDelays, lines: Dictionary(memory.journals.values.map { ($0.name, $0.line) }, uniquingKeysWith: max))
    }

    /// Runs until a signal comes.
    mutating func run() {
        var retry = Retry("the broker")
        while !Interruption.hasCome {
            sparing.tell(try journals.firstUnsent(closes: closings.closes), at: watch.now)
            guard retry.isDue(at: watch.now) else {
                usleep(50_000)
                continue
            }
            do {
                try serve { retry.succeeded() }
            } catch {
                retry.failed(error, at: watch.now)
            }
        }
        write()
    }

    /// Serves one connection. Throws `BrokerProblem` when it ends; returns after a signal.
    private mutating func serve(accepted: () -> Void) throws(BrokerProblem) {
        // The number is on the disk before the broker knows it, so that none comes twice.
        memory.connection += 1
        write()
        let birth = StationState(isAlive: true, connection: memory.connection, version: version)
        let death = StationState(isAlive: false, connection: memory.connection, version: version)
        let topic = FleetTopic.state(station).text
        let connection = try BrokerConnection(to: address, as: "thrum-station-\(station)",
                                              will: BrokerConnection.Will(topic: topic, payload: death.payload))
        var isAccepted = false
        while !Interruption.hasCome {
            for event in try connection.turn(outbox.isWaiting ? 50 : 200) {
                switch event {
                case .accepted:
                    isAccepted = true
                    accepted()
                    let topics = [FleetTopic.committed(station), .kept(station), .state(station), .hub]
                    for topic in topics { try connection.subscribe(topic.text) }
                    try connection.publish(topic, birth.payload, isRetained: true)
                    outbox.reconnect()
                    closings.hurry()
                    reporter.reconnect()
                case .acknowledged(let message): if message == self.message { outbox.acknowledge(at: watch.now) }
                case .message(let topic, let payload, _): try take(FleetTopic(topic), payload, birth, over: connection)
                }
            }
            if isAccepted {
                try send(over: connection)
                try report(over: connection)
                try close(over: connection)
            }
            sparing.tell(try journals.firstUnsent(closes: closings.closes), at: watch.now)
            if let due = writing, watch.now >= due { write() }
        }
        if isAccepted { try connection.publish(topic, death.payload, isRetained: true) }
        connection.end()
    }

    private mutating func take(_ topic: FleetTopic?, _ payload: [UInt8], _ birth: StationState, over connection: BrokerConnection)
        throws(BrokerProblem) {
        switch topic {
        case .committed:
            guard let committed = try? Committed(payload) else { return say("an answer that cannot be read") }
            guard outbox.take(committed) else { return }
            nextLook = .zero
            if writing == nil { writing = watch.now + Self.betweenWritings }
        case .kept:
            guard let kept = try? KeptClosing(payload) else { return say("an answer to a closing that cannot be read") }
            journals.close(closings.take(kept))
            if writing == nil { writing = watch.now + Self.betweenWritings }
        case .state:
            // The will of an earlier connection may come after this one's birth.
            guard let state = try? StationState(payload), state != birth else { return }
            try connection.publish(FleetTopic.state(station).text, birth.payload, isRetained: true)
        case .hub:
            outbox.hurry()
            closings.hurry()
        case .rows, .reported, .closed, nil: break
        }
    }

    private mutating func report(over connection: BrokerConnection) throws(BrokerProblem) {
        // A folder that cannot be read is said where rows are looked for.
        let report = reporter.report(journals: (try? journals.waiting()) ?? 0, rows: outbox.rowsWaiting, at: watch.now)
        // A signal interrupts the question to `thrumd`, too, which then seems not to answer.
        guard let report, !Interruption.hasCome else { return }
        do throws(BrokerProblem) {
            try connection.publish(FleetTopic.reported(station).text, report.payload, isRetained: true)
        } catch {
            // A broker that takes no message of this size is told no reports, and rows all the same.
            guard error == .oversize else { throw error }
        }
    }

    /// Sends what is signed of a day that is over.
    private mutating func close(over connection: BrokerConnection) throws(BrokerProblem) {
        guard let signed = closings.next(&journals, today: PlaceClock.today, at: watch.now) else { return }
        do throws(BrokerProblem) {
            try connection.publish(FleetTopic.closed(station).text, signed.payload)
        } catch {
            guard error == .oversize else { throw error }
            closings.shrink()
        }
    }

    private mutating func send(over connection: BrokerConnection) throws(BrokerProblem) {
        let now = watch.now
        if outbox.isWaiting {
            guard let batch = outbox.resend(at: now) else { return }
            return try publish(batch, over: connection)
        }
        guard now >= nextLook else { return }
        nextLook = now + Self.betweenLooks
        do {
            let before = journals.memory(outbox)
            let parts = try journals.parts(after: outbox)
            if journals.memory(outbox) != before, writing == nil { writing = now + Self.betweenWritings }
            outbox.keep(only: journals.names)
            guard !parts.isEmpty else { return }
            let batch = outbox.send(parts, over: memory.connection, at: now)
            try publish(batch, over: connection)
        } catch let problem as BrokerProblem {
            throw problem
        } catch {
            say("the journals: \(error)")
        }
    }

    private mutating func publish(_ batch: RowBatch, over connection: BrokerConnection) throws(BrokerProblem) {
        let payload = batch.payload
        do throws(BrokerProblem) {
            guard payload.count <= BatchRoom.largestPayload else { throw BrokerProblem.oversize }
            message = try connection.publish(FleetTopic.rows(station).text, payload)
        } catch {
            guard error == .oversize else { throw error }
            outbox.withdraw()
            journals.shrink(after: batch)
            nextLook = .zero
        }
    }

    private mutating func write() {
        memory.journals = journals.memory(outbox)
        file.keep(memory)
        writing = nil
    }
}
