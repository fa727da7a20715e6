import Experience
import Fields
import JSON
import Signals

/// One entry of the table of methods: a method's name, who may call it, and how its parameters are read.
public final class Method: Sendable {
    public let name: String
    public let access: Access
    public let description: MethodDescription
    /// The names of the method's parameters, in the order in which they can be given without names.
    let parameterNames: [String]
    private let reader: @Sendable (Fields) throws -> Call

    /// Creates a method whose parameters `read` reads, throwing `Fault`. Parameters that `read` does not ask for are refused. `refuses` are
    /// the reasons for which the method itself may refuse a call; they are part of its description.
    public convenience init(_ name: String, _ access: Access, refuses: [ErrorReply.Reason] = [], _ summary: String, result: String,
                            examples: [any Encodable & Sendable], inConfidence: [String: Confidence] = [:], isOfPiece: Bool = false,
                            read: @escaping @Sendable (Fields) throws -> Call) {
        let parameters = Fields.described { _ = try read($0) }
        let names = parameters.map(\.name)
        self.init(MethodDescription(name: name, access: access, refuses: refuses, summary: summary, result: result, examples: examples,
                                    parameters: parameters, inConfidence: inConfidence, isOfPiece: isOfPiece)) { fields in
            try fields.refuseAll(but: names)
            return try read(fields)
        }
    }

    /// Creates a method whose `reader` itself refuses unknown parameters.
    init(_ description: MethodDescription, reader: @escaping @Sendable (Fields) throws -> Call) {
        name = description.name
        access = description.access
        self.description = description
        parameterNames = description.parameters.map(\.name)
        self.reader = reader
    }

    /// Reads parameters that are given by name. Throws `Fault`.
    func read(_ fields: Fields) throws -> Call { try reader(fields) }

    /// Reads parameters that are given as a list, in the order of the method's parameters; null leaves one out. Throws `Fault`.
    func read(_ text: JSONText, list: Int, _ work: inout ReadingWork) throws -> Call {
        let count = Int(text.nodes[list].count)
        guard count <= parameterNames.count else { throw tooMany(count) }
        let reading = JSONReading(text, root: list, names: parameterNames)
        defer { work += reading.work }
        return try reader(try Fields(reading.decoder))
    }

    func tooMany(_ count: Int) -> Fault {
        let names = parameterNames
        let expected = names.isEmpty ? "none" : "at most \(names.count) without a name (\(names.joined(separator: ", ")))"
        return Fault(field: "params", expected: expected, found: "\(count)")
    }
}

/// The description of a method. The parameters are found out by running their reader.
public struct MethodDescription: Sendable {
    public let name: String
    public let access: Access
    /// The method's own reasons to refuse a call, besides those that follow from who may call it and from its parameters.
    private let refuses: [ErrorReply.Reason]
    /// Describes the method for people, in a sentence.
    public let summary: String
    /// The name of the answer's type, for the documentation.
    public let result: String
    /// Example answers, which show the answer's shape. A field that is missing in some of them is optional.
    public let examples: [any Encodable & Sendable]
    /// The parameters, in the order in which they can be given without names.
    public let parameters: [FieldDescription]
    /// The confidential fields of the answer, by their paths.
    public let inConfidence: [String: Confidence]
    /// Whether a piece declares the method, so that the method exists only while that piece runs.
    let isOfPiece: Bool
    /// Whether the method does something to a piece's household that only operators may do, and that outlasts the day.
    let isOverHouseholds: Bool

    init(name: String, access: Access, refuses: [ErrorReply.Reason] = [], summary: String, result: String,
         examples: [any Encodable & Sendable], parameters: [FieldDescription], inConfidence: [String: Confidence] = [:],
         isOfPiece: Bool = false, isOverHouseholds: Bool = false) {
        self.name = name
        self.access = access
        self.refuses = refuses
        self.summary = summary
        self.result = result
        self.examples = examples
        self.parameters = parameters
        self.inConfidence = inConfidence
        self.isOfPiece = isOfPiece
        self.isOverHouseholds = isOverHouseholds
    }

    /// All reasons for which a call may be refused, each once, except those that every request can have (docs/protocol.md).
    var reasons: [ErrorReply.Reason] {
        let names = Set(parameters.map(\.name))
        var reasons: [ErrorReply.Reason] = Role.allCases.allSatisfy { $0.admits(access) } ? [] : [.notAllowed]
        if isOfPiece { reasons += result == "receipt" ? [.notHere, .notNow] : [.notHere] }
        reasons += refuses
        if isOfPiece, names.contains("household") { reasons.append(.secretNeeded) }
        if isOfPiece, names.contains("secret") { reasons += [.secretWrong, .notYet] }
        if names.contains("key") { reasons.append(.notKept) }
        // A method with a moment: its event may have to wait.
        if names.contains("at") { reasons += [.noRoom, .cancelled, .overloaded] }
        if names.contains("at"), Role.allCases.contains(where: { $0.isRated && $0.admits(access) }) { reasons.append(.tooFast) }
        return reasons.enumerated().filter { !reasons.prefix($0.offset).contains($0.element) }.map(\.element)
    }

    /// The shape of the answer. Confidential fields are optional.
    var shape: Shape {
        let shapes = examples.map { Shape(of: $0) }
        let whole = shapes.dropFirst().reduce(shapes.first ?? .any) { $0.merged($1) }
        return inConfidence.keys.reduce(whole) { $0.optional($1.split(separator: ".")[...]) }
    }
}

/// The parameters of a method of the server's own. Only the server that creates the methods knows the type. Nothing between it and the wire
/// is generic: looking up the types of generic code took a quarter of the time of an event.
public protocol Command: Sendable {}

/// A request whose parameters have been read.
public enum Call: Sendable {
    /// Reports an event. `at` says when the event is to be heard; nil means now.
    case event(EventKind, at: Moment?)
    /// The client is present. With `timeout`, in milliseconds, it counts as gone after a silence of that length; 0 turns this off, and nil
    /// changes nothing.
    case ping(timeout: Int?)
    case command(any Command)

    /// Whether the call releases something that is held, so that a sound may end.
    public var releases: Bool {
        if case .event(let kind, _) = self { kind.releases } else { false }
    }
}

/// One JSON-RPC 2.0 request, which has been read and checked.
public struct Request: Sendable {
    /// The request's id; nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}

/// All methods of a server. Unknown methods are refused here, and nowhere else.
public final class MethodTable: Sendable {
    /// The methods, ordered by name.
    public let methods: [Method]
    /// The methods' names in alphabetical order.
    public let names: [String]
    let addresses: [OSCAddress]
    private let byName: [String: Method]
    /// The name of the running piece.
    private let experience: String
    /// The names of methods that belong to pieces that are not running.
    private let strange: Set<String>

    /// Creates a table of `methods`, whose names must be unique. `experience` is the name of the running piece. `others` are the pieces
    /// that are not running: a call of one of their methods is refused with that reason.
    public init(_ methods: [Method], experience: String = "", others: [Declaration] = []) {
        self.methods = methods.sorted { $0.name < $1.name }
        names = self.methods.map(\.name)
        byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
        addresses = self.methods.flatMap { OSCAddress.all(of: $0) }
        self.experience = experience
        strange = Set(others.flatMap { $0.actions.map(\.name) + $0.queries.map(\.name) }).subtracting(names)
    }

    public var descriptions: [MethodDescription] { methods.map(\.description) }

    /// The method called `name`; nil when there is none. A text that cannot be such a name is not compared, because comparing Unicode text
    /// may take long.
    public subscript(name: String) -> Method? { Fields.isShortASCII(name) ? byName[name] : nil }

    /// Returns the error for a method name that is not in the table.
    func refusal(of name: String) -> ErrorReply {
        let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        if Fields.isShortASCII(name), strange.contains(name) {
            let expected = "none of another piece's, because the experience is \(experience)"
            return ErrorReply(.refused(.notHere), fault: Fault(field: "method", expected: expected, found: "\"\(start)\""))
        }
        // A list of all names would fill a page; the nearest name is easier to find.
        let nearest = Spelling.nearest(to: name, among: names)
        let guess = nearest.map { "did you mean \"\($0)\"? " } ?? ""
        let fault = Fault(field: "method", expected: nearest ?? "a method that rpc.discover lists", found: "\"\(start)\"")
        return ErrorReply(.methodNotFound, "unknown method \"\(start)\": \(guess)rpc.discover lists all methods", fault: fault)
    }
}
