/// Where a server of this machine listens.
public struct Endpoint: Equatable, Sendable {
    public var address: String
    public var port: Int

    /// From `PORT`, which is one of 127.0.0.1, `ADDRESS:PORT` or `[ADDRESS]:PORT`. Nil for what is none of these.
    init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard digits.allSatisfy(\.isNumber), let port = Int(digits), (1...65_535).contains(port) else { return nil }
        var address = colon.map { text[..<$0] } ?? "127.0.0.1"
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
        } else if address.contains(":") {
            return nil
        }
        guard !address.isEmpty else { return nil }
        self.address = String(address)
        self.port = port
    }

    /// As in an address of the web.
    public var host: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
