import Experience
import Fields

/// All methods of a server. Unknown ones are refused here, and nowhere else.
public final class MethodTable: Sendable {
    /// By their names' order.
    public let methods: [Method]
    /// In alphabetical order.
    public let names: [String]
    let addresses: [OSCAddress]
    private let byName: [String: Method]
    /// Of the piece that runs.
    private let experience: String
    /// Methods of pieces that do not run.
    private let strange: Set<String>

    /// `experience` is the piece that runs; `others` are those that do not, whose methods are refused by name. No two methods may have the
    /// same name.
    public init(_ methods: [Method], experience: String = "", others: [Declaration] = []) {
        self.methods = methods.sorted { $0.name < $1.name }
        names = self.methods.map(\.name)
        byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
        addresses = self.methods.flatMap { OSCAddress.all(of: $0) }
        self.experience = experience
        strange = Set(others.flatMap { $0.actions.map(\.name) + $0.queries.map(\.name) }).subtracting(names)
    }

    public var descriptions: [MethodDescription] { methods.map(\.description) }

    /// The method of that name; nil when there is none. Text that cannot be a name is not compared: comparing Unicode text may take long.
    public subscript(name: String) -> Method? { Fields.isShortASCII(name) ? byName[name] : nil }

    /// Why there is no such method.
    func refusal(of name: String) -> ErrorReply {
        let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        if Fields.isShortASCII(name), strange.contains(name) {
            let expected = "none of another piece's, because the experience is \(experience)"
            return ErrorReply(.refused(.notHere), fault: Fault(field: "method", expected: expected, found: "\"\(start)\""))
        }
        // All names would fill a page, in which nobody finds the one that was meant.
        let nearest = Spelling.nearest(to: name, among: names)
        let guess = nearest.map { "did you mean \"\($0)\"? " } ?? ""
        let fault = Fault(field: "method", expected: nearest ?? "a method that rpc.discover lists", found: "\"\(start)\"")
        return ErrorReply(.methodNotFound, "unknown method \"\(start)\": \(guess)rpc.discover lists all methods", fault: fault)
    }
}
