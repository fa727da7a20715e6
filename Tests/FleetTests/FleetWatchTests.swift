import Fleet
import Testing

@Suite struct FleetWatchTests {
    private let hall = StationName("hall-3")!
    private static let noon = 1_767_268_800_000_000

    private func state(_ isAlive: Bool, _ connection: Int = 1) -> StationState { StationState(isAlive: isAlive, connection: connection, version: "1") }

    /// A report of a clock that is `ahead` seconds ahead.
    private func report(_ problem: String? = nil, ahead: Double = 0) -> StationReport {
        StationReport(instant: Self.noon + Int(ahead * 1_000_000), journals: 0, rows: 0, daemon: problem.map { .silent($0) } ?? .none)
    }

    /// The alarms as words: `gone not connected since 10`, `gone none since 5`, `gone over at 90`.
    private func words(_ alarms: [StationAlarm]) -> [String] {
        alarms.map { alarm in
            let seconds = alarm.time.components.seconds
            return "\(alarm.kind) " + (alarm.text.map { "\($0) since \(seconds)" } ?? (alarm.isOver ? "over at \(seconds)" : "none"))
        }
    }

    @Test func `a station is gone a minute after its death, and no more when it comes again`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(state(true), of: hall, isOld: false, at: .seconds(1))
        #expect(words(watch.alarms(at: .seconds(1))) == ["gone none"])
        watch.take(state(false), of: hall, isOld: false, at: .seconds(10))
        #expect(words(watch.alarms(at: .seconds(70))) == [])
        #expect(words(watch.alarms(at: .seconds(71))) == ["gone not connected since 10"])
        #expect(words(watch.alarms(at: .seconds(500))) == [], "it is told once")
        watch.take(state(true, 2), of: hall, isOld: false, at: .seconds(600))
        #expect(words(watch.alarms(at: .seconds(600))) == ["gone over at 600"])
    }

    @Test func `a station that comes again within the minute is no alarm`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(state(true), of: hall, isOld: false, at: .zero)
        _ = watch.alarms(at: .zero)
        watch.take(state(false), of: hall, isOld: false, at: .seconds(10))
        watch.take(state(true, 2), of: hall, isOld: false, at: .seconds(60))
        #expect(words(watch.alarms(at: .seconds(200))) == [])
    }

    /// As after the end of a broker, whose wills end with it.
    @Test func `a station that is connected and misses two reports is gone`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(state(true), of: hall, isOld: false, at: .zero)
        watch.take(report(), of: hall, isOld: false, at: .seconds(5), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(155))) == ["gone none", "issue none"])
        #expect(words(watch.alarms(at: .seconds(156))) == ["gone connected, and silent since 5"])
        watch.take(report(), of: hall, isOld: false, at: .seconds(300), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(300))) == ["gone over at 300", "clock none"])
    }

    @Test func `silence counts only while the hub is connected, and only for stations that report`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(state(true), of: hall, isOld: false, at: .zero)
        watch.take(state(true), of: StationName("old")!, isOld: false, at: .zero)
        watch.take(report(), of: hall, isOld: false, at: .zero, clock: Self.noon)
        _ = watch.alarms(at: .zero)
        watch.reconnect(at: .seconds(3_000))
        #expect(words(watch.alarms(at: .seconds(3_100))) == [])
        #expect(words(watch.alarms(at: .seconds(3_151))) == ["gone connected, and silent since 3000"])
    }

    /// As after a restart of the hub, when a station has died with its broker: its row may be that of an open alarm.
    @Test func `what a broker had kept of a station says neither that it is gone nor that it is there, until its silence is long enough`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.reconnect(at: .zero)
        watch.take(state(true), of: hall, isOld: true, at: .zero)
        #expect(words(watch.alarms(at: .zero)) == [], "the report has not come yet")
        watch.take(report(), of: hall, isOld: true, at: .zero, clock: Self.noon)
        #expect(words(watch.alarms(at: .zero)) == ["issue none"])
        watch.take(report(), of: hall, isOld: true, at: .seconds(100), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(150))) == [])
        #expect(words(watch.alarms(at: .seconds(151))) == ["gone connected, and silent since 0"])
        watch.reconnect(at: .seconds(200))
        watch.take(report(), of: hall, isOld: true, at: .seconds(200), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(360))) == [], "a new connection ends no alarm")
        watch.take(report(), of: hall, isOld: false, at: .seconds(400), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(400))) == ["gone over at 400"])
    }

    @Test func `a station that the broker had kept is there when it reports, or when it has never reported and nothing else is known`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        let silent = StationName("old")!
        for station in [hall, silent] { watch.take(state(true), of: station, isOld: true, at: .zero) }
        watch.take(report(), of: hall, isOld: false, at: .seconds(5), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(5))) == ["gone none", "issue none"])
        #expect(words(watch.alarms(at: .seconds(150))) == [])
        #expect(watch.alarms(at: .seconds(151)).map(\.station) == [silent])
    }

    /// A broker that is stopped in order delivers its wills first, and its stations come again a while after it.
    @Test func `a death counts from the hub's new connection at the earliest`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(state(true), of: hall, isOld: false, at: .zero)
        _ = watch.alarms(at: .zero)
        watch.take(state(false), of: hall, isOld: false, at: .seconds(10))
        watch.reconnect(at: .seconds(300))
        #expect(words(watch.alarms(at: .seconds(300))) == [])
        #expect(words(watch.alarms(at: .seconds(360))) == [])
        var other = watch
        #expect(words(watch.alarms(at: .seconds(361))) == ["gone not connected since 10"])
        other.take(state(true, 2), of: hall, isOld: false, at: .seconds(310))
        #expect(words(other.alarms(at: .seconds(361))) == [])
    }

    @Test func `clocks are compared anew after a new connection`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(report(ahead: -30), of: hall, isOld: false, at: .zero, clock: Self.noon)
        watch.reconnect(at: .seconds(1))
        watch.take(report(ahead: -30), of: hall, isOld: false, at: .seconds(2), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(2))) == ["issue none"])
        watch.take(report(ahead: -30), of: hall, isOld: false, at: .seconds(3), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(3))) == ["clock 30 s behind since 3"])
    }

    @Test func `an issue is told, told again in other words, and told to be over`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(report("no card"), of: hall, isOld: true, at: .seconds(1), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(1))) == ["issue no card since 1"])
        watch.take(report("no card"), of: hall, isOld: false, at: .seconds(11), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(11))) == [])
        watch.take(report("no finger"), of: hall, isOld: false, at: .seconds(21), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(21))) == ["issue no finger since 1", "clock none"])
        watch.take(report(), of: hall, isOld: false, at: .seconds(31), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(31))) == ["issue over at 31"])
    }

    @Test(arguments: [(2.0, nil), (-2.0, nil), (2.1, "2 s ahead"), (-3.6, "4 s behind"), (90, "90 s ahead")] as [(Double, String?)])
    func `a clock may differ by two seconds`(ahead: Double, text: String?) {
        var watch = FleetWatch(goneAfter: .seconds(60))
        for second in [0, 10] { watch.take(report(ahead: ahead), of: hall, isOld: false, at: .seconds(second), clock: Self.noon) }
        #expect(words(watch.alarms(at: .seconds(10))) == ["issue none", "clock " + (text.map { "\($0) since 10" } ?? "none")])
    }

    @Test func `a report that was late on its way makes no clock wrong, nor one that the broker had kept`() {
        var watch = FleetWatch(goneAfter: .seconds(60))
        watch.take(report(ahead: -4_000), of: hall, isOld: true, at: .zero, clock: Self.noon)
        for (index, ahead) in [0, -30, 0.1, -30].enumerated() {
            watch.take(report(ahead: ahead), of: hall, isOld: false, at: .seconds(index), clock: Self.noon)
            #expect(watch.alarms(at: .seconds(index)).allSatisfy { $0.text == nil })
        }
        watch.take(report(ahead: -30), of: hall, isOld: false, at: .seconds(9), clock: Self.noon)
        #expect(words(watch.alarms(at: .seconds(9))) == ["clock 30 s behind since 9"])
        for second in [10, 11] { watch.take(report(), of: hall, isOld: false, at: .seconds(second), clock: Self.noon) }
        #expect(words(watch.alarms(at: .seconds(11))) == ["clock over at 11"])
    }

    @Test func `alarms come in the order of the stations' names`() {
        var watch = FleetWatch(goneAfter: .seconds(1))
        for name in ["c", "a", "b"] { watch.take(state(false), of: StationName(name)!, isOld: false, at: .zero) }
        #expect(watch.alarms(at: .seconds(2)).map(\.station.text) == ["a", "b", "c"])
    }
}
