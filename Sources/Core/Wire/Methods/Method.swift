import Experience
import Fields
import JSON
import Signals

/// One entry of a table of methods: its name, who may call it, and how its parameters are read.
public final class Method: Sendable {
    public let name: String
    public let access: Access
    public let description: MethodDescription
    /// The names of its parameters, in the order in which they may be given without names.
    let parameterNames: [String]
    private let reader: @Sendable (Fields) throws -> Call

    /// Creates a method whose parameters `read` reads, throwing `Fault`. Fields that it does not read are refused. `refuses` are the
    /// method's own reasons to refuse a call, as in its description.
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

    /// Creates a method whose `reader` refuses unknown fields by itself.
    init(_ description: MethodDescription, reader: @escaping @Sendable (Fields) throws -> Call) {
        name = description.name
        access = description.access
        self.description = description
        parameterNames = description.parameters.map(\.name)
        self.reader = reader
    }

    /// Reads parameters with names. Throws `Fault`.
    func read(_ fields: Fields) throws -> Call { try reader(fields) }

    /// Reads parameters without names: they have those of the method, in their order, and null leaves one out. Throws `Fault`.
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

/// The description of a method. Its parameters are described by their own reader.
public struct MethodDescription: Sendable {
    public let name: String
    public let access: Access
    /// The reasons for which the method may refuse a call, beside those that follow from its access and its parameters.
    private let refuses: [ErrorReply.Reason]
    /// Describes the method for people, in a sentence.
    public let summary: String
    /// The name of its answer.
    public let result: String
    /// Example answers, for their shape; a field that some of them lack is optional.
    public let examples: [any Encodable & Sendable]
    /// The parameters in the order in which they may be given without names.
    public let parameters: [FieldDescription]
    /// The fields of the answer that are told in confidence, by their paths.
    public let inConfidence: [String: Confidence]
    /// Whether a piece declares the method, so that it is there only while the piece runs.
    private let isOfPiece: Bool
    /// Whether it does to a household of a piece what only operators may: it would outlast the exhibition's day.
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

    /// The reasons for which a call may be refused, each once, beside those of every request (docs/protocol.md).
    var reasons: [ErrorReply.Reason] {
        let names = Set(parameters.map(\.name))
        var reasons: [ErrorReply.Reason] = Role.allCases.allSatisfy { $0.admits(access) } ? [] : [.notAllowed]
        if isOfPiece { reasons += result == "receipt" ? [.notHere, .notNow] : [.notHere] }
        reasons += refuses
        if isOfPiece, names.contains("household") { reasons.append(.secretNeeded) }
        if isOfPiece, names.contains("secret") { reasons += [.secretWrong, .notYet] }
        if names.contains("key") { reasons.append(.notKept) }
        // What waits for its time.
        if names.contains("at") { reasons += [.noRoom, .cancelled, .overloaded] }
        if names.contains("at"), Role.allCases.contains(where: { $0.isRated && $0.admits(access) }) { reasons.append(.tooFast) }
        return reasons.enumerated().filter { !reasons.prefix($0.offset).contains($0.element) }.map(\.element)
    }

    /// The shape of the answer. Fields that are told in confidence are optional.
    var shape: Shape {
        let shapes = examples.map { Shape(of: $0) }
        let whole = shapes.dropFirst().reduce(shapes.first ?? .any) { $0.merged($1) }
        return inConfidence.keys.reduce(whole) { $0.optional($1.split(separator: ".")[...]) }
    }
}

/// What a method of the server's own asks for. Only the server that makes the methods knows its type. Nothing on the way is generic:
/// looking up the types of generic code took a quarter of the time of an event.
public protocol Command: Sendable {}

/// A request with its parameters read.
public enum Call: Sendable {
    /// An event happens at a moment; nil is now.
    case event(EventKind, at: Moment?)
    /// The client is there. With `patience`, in milliseconds, it counts as gone after so long a silence; 0 takes that back, nil leaves it
    /// as it was.
    case ping(patience: Int?)
    case command(any Command)

    /// Whether the call releases something, so that a sound may end.
    public var releases: Bool {
        if case .event(let kind, _) = self { kind.releases } else { false }
    }
}

/// One JSON-RPC 2.0 request, read and checked.
public struct Request: Sendable {
    /// The request's id; nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}

/// All methods of a server. Unknown ones are refused here, and nowhere else.
public final class MethodTable: Sendable {
    /// The methods in the order of their names.
    public let methods: [Method]
    /// The methods' names in alphabetical order.
    public let names: [String]
    let addresses: [OSCAddress]
    private let byName: [String: Method]
    /// The name of the piece that runs.
    private let experience: String
    /// Methods of pieces that do not run.
    private let strange: Set<String>

    /// Makes a table of `methods`, whose names differ. `experience` is the piece that runs; `others` are those that do not, whose methods
    /// are refused by name.
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

    /// The error for a name that no method has.
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
