import Database
import Fleet

/// What a hub knows of its stations: their states, their reports and their alarms, and what of that the tables do not have yet. It says on
/// standard error who comes and goes, and what is wrong.
struct StationBook {
    /// The largest number of alarms that wait for the database. Beyond it the oldest are dropped, and the next change tells what is wrong
    /// then.
    private static let mostAlarms = 10_000

    private var fleet: FleetWatch
    /// The last state of each station. A state that came later but is older by `StationState.counts` is not taken.
    private var states: [StationName: StationState] = [:]
    /// The last report of each station.
    private var reports: [StationName: StationReport] = [:]
    /// The last alarm of each station and kind, also one that is over.
    private var alarms: [StationName: [StationAlarm.Kind: StationAlarm]] = [:]
    private var news = StationTable.News()

    /// `goneAfter` is the time after which a station that is not connected is an alarm.
    init(goneAfter: Duration) { fleet = FleetWatch(goneAfter: goneAfter) }

    /// Whether the tables have everything that this hub knows of its stations.
    var isWritten: Bool { news.isEmpty }

    /// Has the last states, reports and alarms be written again, because the hub has connected to a database that may be another one, or an
    /// older copy.
    mutating func repeatAll() {
        news.states = states
        // The time at which a repeated report came is not known any more, so it counts as old as it says.
        news.reports.merge(reports.mapValues { ($0, isOld: true) }) { waiting, _ in waiting }
        news.formerAlarms = alarms.values.flatMap(\.values)
    }

    /// Has each station's silence and absence count from `now` on, because there is a new connection to the broker.
    mutating func reconnect(at now: Duration) { fleet.reconnect(at: now) }

    /// Takes a state; `isOld` is as in `FleetWatch`.
    mutating func take(_ state: StationState, of station: StationName, isOld: Bool, at now: Duration) {
        guard state.counts(after: states[station]) else { return }
        if states[station]?.isAlive != state.isAlive { say("\(station) is \(state.isAlive ? "there" : "gone")") }
        states[station] = state
        news.states[station] = state
        fleet.take(state, of: station, isOld: isOld, at: now)
    }

    /// Takes a report; `isOld` and `clock` are as in `FleetWatch`.
    mutating func take(_ report: StationReport, of station: StationName, isOld: Bool, at now: Duration, clock: Int) {
        reports[station] = report
        news.reports[station] = (report, isOld)
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
            alarms[alarm.station, default: [:]][alarm.kind] = alarm
            news.alarms.append(alarm)
        }
        news.alarms.removeFirst(max(0, news.alarms.count - Self.mostAlarms))
    }

    /// Writes what the tables do not have. Throws `DatabaseProblem`; the next call writes the same again.
    mutating func write(to table: StationTable, at now: Duration) throws(DatabaseProblem) {
        guard !isWritten else { return }
        try table.write(news, at: now)
        news = StationTable.News()
    }
}
