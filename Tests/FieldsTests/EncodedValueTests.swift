import Fields
import JSON
import Testing

/// One of everything that is written.
private struct Written: Encodable {
    enum Kind: String, Encodable { case plain }

    struct Inner: Encodable {
        var list: [Int?] = [1, nil, 3]
        var empty: [Int] = []
    }

    /// Its fields stand among those that are written beside it.
    struct Beside: Encodable {
        func encode(to encoder: any Encoder) throws {
            try Inner().encode(to: encoder)
            try ["beside": true].encode(to: encoder)
        }
    }

    var text = "ä \"1\"\n"
    var flag = true
    var missing: Int?
    var kind = Kind.plain
    var integer = -7
    var least = Int64.min
    var greatest = UInt64.max
    var byte: UInt8 = 255
    var whole = 1_440.0
    var fraction = 0.1
    var short: Float = 0.1
    var large = 1e16
    var larger = 1e300
    var negativeZero = -0.0
    var inner = Inner()
    var beside = Beside()
    var nothing = [String: Int]()
    var named = ["a": ["b": 1.5]]
    var value = JSONValue.object(["c": .list([.null, .integer(4), .number(4), .number(0.25)])])
}

@Suite struct EncodedValueTests {
    private func read(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(from: JSONReading(JSONText(bytes, within: .none)).decoder) }

    @Test func `a value is encoded as whoever reads its bytes finds it`() throws {
        #expect(try JSONValue(encoding: Written()) == read(JSONWriter.bytes(of: Written())))
        #expect(try JSONValue(encoding: [1, 2]) == .list([.integer(1), .integer(2)]))
        #expect(try JSONValue(encoding: "alone") == .text("alone"))
        #expect(try JSONValue(encoding: JSONValue.null) == .null)
    }

    @Test func `a number that is not finite has no value`() {
        #expect(throws: EncodingError.self) { try JSONValue(encoding: [1, Double.nan]) }
        #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": Double.infinity]) }
    }
}
