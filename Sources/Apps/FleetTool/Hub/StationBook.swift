import Database
import Fleet

/// What a hub knows of its stations: their states, their reports and their alarms, and what of that the tables do not have yet. It says on
/// standard error who comes and goes, and what is wrong.
struct StationBook {
    /// The alarms that wait for the database at most; older ones are dropped, and what is wrong now is told by the next change.
    private static let mostAlarms = 10_000

    private var fleet: FleetWatch
    /// The last state of each station that counts.
    private var states: [StationName: StationState] = [:]
    private var unwrittenStates: Set<StationName> = []
    private var unwrittenReports: [StationName: (report: StationReport, isOld: Bool)] = [:]
    private var unwrittenAlarms: [StationAlarm] = []

    /// `goneAfter` is the time after which a station that is not connected is an alarm.
    init(goneAfter: Duration) { fleet = FleetWatch(goneAfter: goneAfter) }

    /// Whether the tables have everything.
    var isWritten: Bool { unwrittenStates.isEmpty && unwrittenReports.isEmpty && unwrittenAlarms.isEmpty }

    /// Has all states be written again: to a database that may be another one.
    mutating func repeatStates() { unwrittenStates = Set(states.keys) }

    /// Has each station's silence count from now on: there is a new connection to the broker.
    mutating func reconnect(at now: Duration) { fleet.reconnect(at: now) }

    mutating func take(_ state: StationState, of station: StationName, at now: Duration) {
        guard state.counts(after: states[station]) else { return }
        if states[station]?.isAlive != state.isAlive { say("\(station) is \(state.isAlive ? "there" : "gone")") }
        states[station] = state
        unwrittenStates.insert(station)
        fleet.take(state, of: station, at: now)
    }

    /// Takes a report; `isOld` and `clock` are as in `FleetWatch`.
    mutating func take(_ report: StationReport, of station: StationName, isOld: Bool, at now: Duration, clock: Int) {
        unwrittenReports[station] = (report, isOld)
        fleet.take(report, of: station, isOld: isOld, at: now, clock: clock)
    }

    /// Finds and says which alarms begin and end. To be called while the broker is there: without it nobody is heard.
    mutating func watch(at now: Duration) {
        for alarm in fleet.alarms(at: now) {
            if let text = alarm.text {
                say("alarm: \(alarm.station): \(alarm.kind.rawValue): \(text)")
            } else if alarm.isOver {
                say("over: \(alarm.station): \(alarm.kind.rawValue)")
            }
            unwrittenAlarms.append(alarm)
        }
        unwrittenAlarms.removeFirst(max(0, unwrittenAlarms.count - Self.mostAlarms))
    }

    /// Writes what the tables do not have. Throws `DatabaseProblem`; what was not written is written by the next call.
    mutating func write(to table: StationTable, at now: Duration) throws(DatabaseProblem) {
        for station in unwrittenStates {
            if let state = states[station] { try table.write(state, of: station) }
        }
        unwrittenStates.removeAll()
        for (station, last) in unwrittenReports { try table.write(last.report, isOld: last.isOld, of: station) }
        unwrittenReports.removeAll()
        // One by one: an alarm that has ended and is written again would be there twice.
        while let alarm = unwrittenAlarms.first {
            try table.write(alarm, ago: max(now - alarm.time, .zero))
            unwrittenAlarms.removeFirst()
        }
    }
}
