import Experience
import Fields
import Signals
import Testing

private struct Prices: PieceDocument {
    struct Cure: Decodable, Equatable {
        var gems = 120
        var limit = 5

        init() {}

        init(from decoder: any Decoder) throws {
            let fields = try Fields(decoder)
            gems = try fields.integer("gems", in: 1...10_000)
            limit = try fields.integer("limit", in: 1...100)
        }
    }

    var cure = Cure()

    init() {}

    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["cure"])
        cure = try fields.nested(Cure.self, "cure", expected: "an object")
    }

    /// As many are not worth their price.
    var faults: [Fault] {
        cure.gems * cure.limit < 100_000 ? [] : [Fault(field: "cure", expected: "less than 100000 Gems in all"), Fault(field: "cure.limit", expected: "fewer")]
    }

    var json: JSONValue { .object(["cure": .object(["gems": .integer(Int64(cure.gems)), "limit": .integer(Int64(cure.limit))])]) }
}

@Suite struct ConfigurationDeclarationTests {
    private let prices = ConfigurationDeclaration("recovery", about: "What recovery costs.", standard: Prices()) { new, former, memories in
        var faults: [Fault] = []
        if let former, new.cure.gems > 2 * former.cure.gems { faults.append(Fault(field: "cure.gems", expected: "at most twice of before", found: "\(new.cure.gems)")) }
        if new.cure.limit < memories.count { faults.append(Fault(field: "", expected: "a limit for all")) }
        return faults
    }

    private func body(_ gems: Int64, limit: Int64 = 5) -> JSONValue {
        .object(["cure": .object(["gems": .integer(gems), "limit": .integer(limit)])])
    }

    @Test func `every fault names the field by its path from the kind on`() throws {
        #expect(try prices.read(body(200)) as? Prices != nil)
        #expect(prices.objections(to: body(240), after: prices.standard, []) == [])
        #expect(prices.objections(to: body(0), after: prices.standard, []).map(\.field) == ["recovery.cure.gems"])
        #expect(prices.objections(to: body(300, limit: 1), after: prices.standard, [.null, .null]).map(\.field) == ["recovery.cure.gems", "recovery"])
        #expect(prices.objections(to: .object(["cure": .integer(3)]), after: prices.standard, []).map(\.field) == ["recovery.cure"])
        #expect(prices.objections(to: .list([]), after: prices.standard, []).map(\.field) == ["recovery"])
        let long = JSONValue.object(["cure": .text(String(repeating: "x", count: ConfigurationDeclaration.longestDocument))])
        #expect(throws: Fault(field: "recovery", expected: "at most 49152 bytes, and 16 levels of lists and objects")) { try prices.read(long) }
    }

    @Test func `after a document that cannot be read any more, what is wrong by itself and what households have still count`() {
        #expect(prices.objections(to: body(9_000), after: .object([:]), []) == [])
        #expect(prices.objections(to: body(9_000, limit: 1), after: .object([:]), [.null, .null]).map(\.field) == ["recovery"])
        #expect(prices.objections(to: body(9_000, limit: 20), after: .object([:]), []).map(\.field) == ["recovery.cure", "recovery.cure.limit"])
    }

    @Test func `a document with a fault of its own is not read, and all of them are told with the other objections`() {
        #expect(throws: Fault(field: "recovery.cure", expected: "less than 100000 Gems in all")) { try prices.read(body(10_000, limit: 10)) }
        let told = prices.objections(to: body(10_000, limit: 10), after: prices.standard, [])
        #expect(told.map(\.field) == ["recovery.cure", "recovery.cure.limit", "recovery.cure.gems"])
    }

    @Test func `a forecast is of the documents that are given, and of the standard ones for the rest`() throws {
        let forecast = Forecast(about: "one household") { documents, progress in
            progress(0.5)
            return [Forecast.Measure("gems", (documents["recovery"] as? Prices).map { Double($0.cure.gems) })]
        }
        let declaration = Declaration(name: "pet", rulesVersion: 1, about: "", configurations: [prices], forecast: forecast)
        #expect(try forecast.measures([:], declaration) == [Forecast.Measure("gems", 120)])
        #expect(try forecast.measures(["recovery": body(7)], declaration) == [Forecast.Measure("gems", 7)])
        #expect(throws: Fault.self) { try forecast.measures(["recovery": self.body(0)], declaration) }
        var parts: [Double] = []
        _ = try forecast.measures([:], declaration) { parts.append($0) }
        #expect(parts == [0.5])
    }
}
