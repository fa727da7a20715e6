import Testing

@testable import Live

@Suite struct SensorsTests {
    private var sensors = Sensors()

    @Test mutating func `somebody is there while any sensor says so`() {
        #expect(!sensors.isSomebodyThere)
        _ = sensors.sees(.device(rule: "mat"), until: nil)
        _ = sensors.sees(.reported(name: "mat"), until: 10)
        sensors.seesNobody(.device(rule: "mat"))
        #expect(sensors.isSomebodyThere)
        sensors.seesNobody(.reported(name: "mat"))
        #expect(!sensors.isSomebodyThere)
    }

    @Test mutating func `a word counts until its time is over, unless it is said again, and a switch's for as long as it is on`() {
        _ = sensors.sees(.reported(name: "a"), until: 10)
        sensors.advance(to: 9)
        #expect(sensors.isSomebodyThere)
        _ = sensors.sees(.reported(name: "a"), until: 20)
        sensors.advance(to: 10)
        #expect(sensors.isSomebodyThere)
        sensors.advance(to: 20)
        #expect(!sensors.isSomebodyThere)
        _ = sensors.sees(.device(rule: "mat"), until: nil)
        sensors.advance(to: .max)
        #expect(sensors.isSomebodyThere)
    }

    @Test mutating func `sixteen sensors have room, and those that have said so may say it again`() {
        let first = (0..<Sensors.most).map { sensors.sees(.reported(name: "\($0)"), until: 10) }
        #expect(!first.contains(false))
        let (more, again) = (sensors.sees(.reported(name: "one more"), until: 10), sensors.sees(.reported(name: "3"), until: 11))
        #expect(!more && again)
    }
}
