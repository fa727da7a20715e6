import Fields
import JSON

/// Says whether a station is connected. A station publishes its birth when it has connected. Its death is published by the broker as the
/// station's will, or by the station itself before it disconnects. Both have the number of the connection, so that the death of an earlier
/// connection is not mistaken for that of the present one.
public struct StationState: Equatable, Encodable, Sendable {
    public let isAlive: Bool
    /// The number of the connection, counted from 1. It grows with each attempt to connect.
    public let connection: Int
    /// The version of the station's program.
    public let version: String

    public init(isAlive: Bool, connection: Int, version: String) {
        (self.isAlive, self.connection, self.version) = (isAlive, connection, version)
    }

    /// The range of numbers that a connection may have.
    static let connections = 1...(1 << 53)

    /// Reads a payload. Throws `Fault`.
    public init(_ payload: [UInt8]) throws(Fault) {
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["alive", "bdSeq", "version"])
            return StationState(isAlive: try fields.flag("alive"), connection: try fields.integer("bdSeq", in: Self.connections),
                                version: try FleetPayload.text(fields, "version"))
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(isAlive, forKey: .init("alive"))
        try container.encode(connection, forKey: .init("bdSeq"))
        try container.encode(version, forKey: .init("version"))
    }

    /// Whether this state replaces `former`, the latest state that counted; nil when none has counted yet. A birth always counts: the
    /// broker keeps the order of one station's messages, and a station that has lost its numbers begins again at 1. A death counts only for
    /// its own connection.
    public func counts(after former: StationState?) -> Bool {
        guard let former, former.isAlive, !isAlive else { return self != former }
        return connection == former.connection
    }
}

/// Reads and writes the payloads of the fleet's topics: JSON objects.
enum FleetPayload {
    /// The limits of a payload, which anybody may have written. A journal's line is nested at most 64 deep, and is nested a few levels
    /// deeper here.
    private static let limits = JSONLimits(depth: 80, values: 1 << 20)

    static func read<Value>(_ payload: [UInt8], _ reader: (Fields) throws -> Value) throws(Fault) -> Value {
        do {
            return try reader(Fields(JSONReading(try JSONText(payload, within: limits)).decoder(of: 0)))
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "one JSON object", found: "something else")
        }
    }

    static func bytes(of value: some Encodable) -> [UInt8] {
        do {
            return try JSONWriter.bytes(of: value)
        } catch {
            preconditionFailure("payloads have finite numbers only: \(error)")
        }
    }

    /// Reads hexadecimal digits in lower case that stand for so many bytes. Throws `Fault`.
    static func digits(_ fields: Fields, _ name: String, bytes: Int) throws -> String {
        let text = try fields.text(name, limit: 2 * bytes)
        guard text.utf8.count == 2 * bytes, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            throw fields.fault(name, "\(2 * bytes) hexadecimal digits")
        }
        return text
    }

    /// Reads a text without the character NUL, which PostgreSQL cannot store in a text. Throws `Fault`.
    static func text(_ fields: Fields, _ name: String) throws -> String {
        // The longest is the name of a journal: a file's name of 255 bytes with a seed.
        let text = try fields.text(name, limit: 300)
        guard !text.utf8.contains(0) else { throw fields.fault(name, "text without NUL") }
        return text
    }
}
