import Testing

@testable import Live

@Suite struct SensorsTests {
    private var sensors = Sensors()

    @Test mutating func `somebody is there while any sensor says so`() {
        #expect(!sensors.isSomebodyThere)
        _ = sensors.sees(.device(4, rule: "mat"), until: nil)
        _ = sensors.sees(.reported(name: "mat", by: nil), until: 10)
        sensors.seesNobody(.device(4, rule: "mat"))
        #expect(sensors.isSomebodyThere)
        sensors.seesNobody(.reported(name: "mat", by: nil))
        #expect(!sensors.isSomebodyThere)
    }

    @Test mutating func `a word counts until its time is over, unless it is said again, and a switch's for as long as it is on`() {
        _ = sensors.sees(.reported(name: "a", by: nil), until: 10)
        sensors.advance(to: 9)
        #expect(sensors.isSomebodyThere)
        _ = sensors.sees(.reported(name: "a", by: nil), until: 20)
        sensors.advance(to: 10)
        #expect(sensors.isSomebodyThere)
        sensors.advance(to: 20)
        #expect(!sensors.isSomebodyThere)
        _ = sensors.sees(.device(4, rule: "mat"), until: nil)
        sensors.advance(to: .max)
        #expect(sensors.isSomebodyThere)
    }

    @Test mutating func `sixteen sensors have room, and those that have said so may say it again`() {
        let first = (0..<Sensors.most).map { sensors.sees(.reported(name: "\($0)", by: nil), until: 10) }
        #expect(!first.contains(false))
        let (more, again) = (sensors.sees(.reported(name: "one more", by: nil), until: 10), sensors.sees(.reported(name: "3", by: nil), until: 11))
        #expect(!more && again)
    }

    @Test mutating func `a visitor's front end fills only its own room, speaks for itself, and its words go with it`() {
        for name in 0..<Sensors.most { _ = sensors.sees(.reported(name: "\(name)", by: 7), until: 10) }
        let others = [sensors.sees(.reported(name: "radar", by: nil), until: 10), sensors.sees(.reported(name: "radar", by: 8), until: 10),
                      sensors.sees(.device(4, rule: "mat"), until: nil)]
        #expect(!others.contains(false))
        sensors.forget(7)
        sensors.seesNobody(.device(4, rule: "mat"))
        sensors.seesNobody(.reported(name: "radar", by: 8))
        #expect(sensors.isSomebodyThere, "the operators' radar says so")
        sensors.seesNobody(.reported(name: "radar", by: nil))
        #expect(!sensors.isSomebodyThere)
    }

    @Test mutating func `of two mats under one rule each says for itself`() {
        for device in [4, 5] { _ = sensors.sees(.device(device, rule: "mat"), until: nil) }
        sensors.seesNobody(.device(4, rule: "mat"))
        #expect(sensors.isSomebodyThere)
        sensors.seesNobody(.device(5, rule: "mat"))
        #expect(!sensors.isSomebodyThere)
    }
}
