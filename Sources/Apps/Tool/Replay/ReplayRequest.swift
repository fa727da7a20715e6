import Fields
import FoundationEssentials
import Signals

/// An event as a request that says when it is to be heard.
struct ReplayRequest: Encodable {
    /// The journal's line.
    var id: Int
    var kind: EventKind
    /// CLOCK_MONOTONIC in nanoseconds.
    var moment: Int64

    /// Without its newline.
    func line() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode("2.0", forKey: Fields.Key("jsonrpc"))
        try container.encode(id, forKey: Fields.Key("id"))
        try container.encode(kind.method, forKey: Fields.Key("method"))
        var parameters = container.nestedContainer(keyedBy: Fields.Key.self, forKey: Fields.Key("params"))
        try kind.encode(into: &parameters)
        try parameters.encode(moment, forKey: Fields.Key("at"))
    }
}
