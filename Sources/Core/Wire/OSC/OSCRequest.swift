import Fields
import JSON
import Signals

/// The request that a message of a datagram makes.
public struct OSCRequest: Sendable {
    /// When the request is to be heard, by its bundle; nil for at once.
    public let time: OSCTime?
    /// The address as the message has it.
    public let address: String
    /// The method with its unread arguments, or the error that there is no such address.
    public let call: Result<UnreadCall, ErrorReply>
}

/// A method with its arguments, which are not read yet.
public struct UnreadCall: Sendable {
    public let method: Method
    fileprivate let arguments: [OSCArgument]

    public func read() -> Result<Call, ErrorReply> {
        do {
            let parameters = method.parametersOfOSC
            guard arguments.count <= parameters.count else { throw method.tooMany(arguments.count) }
            let values = zip(parameters, arguments).map { field, argument in argument.value(for: field.kind) }
            let text = try JSONText(JSONWriter.bytes(of: values), within: .none)
            var work = ReadingWork()
            return .success(try method.read(text, list: 0, &work))
        } catch {
            return .failure(ErrorReply(.invalidParams, error))
        }
    }
}

extension OSCPacket {
    /// The most requests in a packet. A pattern makes one for each address that it matches.
    static let requestLimit = 64

    /// The most steps that all patterns of a packet may take together. `/*/*` takes about 700.
    static let stepLimit = 100_000

    /// Addresses of answers, which are no requests.
    private static let answers: Set = ["/error", "/reply"]

    /// Returns the requests that the packet's messages make. The methods of the protocol have addresses of the same names, `/feed/scroll`
    /// for `feed.scroll`. Arguments are the parameters in their order, without the moment, which is the bundle's. A parameter may be part
    /// of the address, as in `/touch/began`; nil leaves one out; any number serves for true and false. A pattern may ask for several
    /// requests. Throws `Fault` when the packet asks for too much, before any parameter is read.
    public func requests(_ table: MethodTable) throws(Fault) -> [OSCRequest] {
        var budget = OSCPattern.Budget(left: Self.stepLimit)
        return try requests(table, &budget)
    }

    /// Does the same, and takes the steps of its patterns from `budget`.
    func requests(_ table: MethodTable, _ budget: inout OSCPattern.Budget) throws(Fault) -> [OSCRequest] {
        var requests: [OSCRequest] = []
        for (time, message) in messages where !Self.answers.contains(message.address) {
            for call in try message.calls(table, &budget) { requests.append(OSCRequest(time: time, address: message.address, call: call)) }
            guard requests.count <= Self.requestLimit else {
                throw Fault(field: "address", expected: "patterns that match at most \(Self.requestLimit) addresses in a datagram")
            }
        }
        return requests
    }
}

extension OSCMessage {
    fileprivate func calls(_ table: MethodTable, _ budget: inout OSCPattern.Budget) throws(Fault)
        -> [Result<UnreadCall, ErrorReply>] {
        if address.utf8.contains(where: { "?*[]{}".utf8.contains($0) }) {
            let pattern = OSCPattern(address)
            var calls: [Result<UnreadCall, ErrorReply>] = []
            var isKnown = false
            for known in table.addresses where try pattern.matches(known.words, &budget) {
                isKnown = true
                let choice = known.choice.map { [OSCArgument.text($0)] } ?? []
                calls += known.method.calls(choice + arguments, fault)
            }
            return isKnown ? calls : [.failure(stranger)]
        }
        let words = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        // No method has more.
        for count in stride(from: min(words.count, 2), to: 0, by: -1) {
            guard let method = table[words.prefix(count).joined(separator: ".")] else { continue }
            return method.calls(words.dropFirst(count).map { .text($0) } + arguments, fault)
        }
        return [.failure(stranger)]
    }

    private var stranger: ErrorReply {
        let expected = "a method's address; /rpc/discover tells which there are"
        let start = String(String.UnicodeScalarView(address.unicodeScalars.prefix(64)))
        return ErrorReply(.methodNotFound, fault: Fault(field: "address", expected: expected, found: "\"\(start)\""))
    }
}

/// An address that a pattern may mean. Where a method begins with a choice, only its choices count, as in `/touch/began`.
struct OSCAddress: Sendable {
    /// The parts between the slashes. The first, before the first slash, is empty.
    let words: [[UInt8]]
    let method: Method
    let choice: String?

    static func all(of method: Method) -> [OSCAddress] {
        let words = [[]] + method.name.split(separator: ".").map { Array($0.utf8) }
        guard case .choice(let choices)? = method.description.parameters.first(where: \.isRequired)?.kind else {
            return [OSCAddress(words: words, method: method, choice: nil)]
        }
        return choices.map { OSCAddress(words: words + [Array($0.utf8)], method: method, choice: $0) }
    }
}

extension OSCArgument {
    /// The argument as JSON for a field of this kind. Null leaves the field out.
    fileprivate func value(for kind: FieldDescription.Kind) -> JSONValue {
        switch self {
        case .integer, .number: kind.isFlag ? .flag(isPressed == true) : numeric
        case .text(let text): .text(text)
        case .flag(let flag): .flag(flag)
        case .nothing: .null
        }
    }

    private var numeric: JSONValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .text, .flag, .nothing: .null
        }
    }

    /// The argument as a button's value: any number but 0 is true. Nil where it is no such value.
    fileprivate var isPressed: Bool? {
        switch self {
        case .integer(let integer): integer != 0
        case .number(let number): number != 0
        case .flag(let flag): flag
        case .text, .nothing: nil
        }
    }

    /// Whether the argument is a value that only buttons send where a number is meant: a flag, or 1 or 0 as a floating-point number.
    fileprivate var isButton: Bool {
        switch self {
        case .number(let number): number == 0 || number == 1
        case .flag: true
        case .integer, .text, .nothing: false
        }
    }
}

extension FieldDescription.Kind {
    fileprivate var isFlag: Bool { if case .flag = self { true } else { false } }
}

extension Method {
    private static let momentNames = ["at", "delay"]

    private var isEvent: Bool { parameterNames.suffix(2) == Self.momentNames[...] }

    /// The parameters that OSC messages may set. For an event they lack the moment: the bundle's time says when, and a button's value does
    /// not.
    fileprivate var parametersOfOSC: ArraySlice<FieldDescription> {
        isEvent ? description.parameters.dropLast(2) : description.parameters[...]
    }

    /// Returns the calls that a message to this method makes; none where a button was let go, because its press was the whole request.
    /// `fault` is what is wrong with the message.
    fileprivate func calls(_ arguments: [OSCArgument], _ fault: Fault?) -> [Result<UnreadCall, ErrorReply>] {
        func call(_ arguments: [OSCArgument]) -> [Result<UnreadCall, ErrorReply>] {
            [.success(UnreadCall(method: self, arguments: arguments))]
        }
        // What only releases releases, whatever is sent to it.
        if access == .release { return call([]) }
        if let fault { return [.failure(ErrorReply(.invalidParams, fault: fault))] }
        if name == "touch", let touch = Self.touch(by: arguments) { return call(touch) }
        guard isEvent, arguments.count == parametersOfOSC.count + 1, let isPressed = arguments.last?.isPressed else {
            return call(arguments)
        }
        return isPressed ? call(arguments.dropLast()) : []
    }

    /// The arguments of `touch` for a button's value sent to `/touch` or `/touch/began`: its press begins a touch and its release ends it.
    /// Nil where the arguments are no button's.
    private static func touch(by arguments: [OSCArgument]) -> [OSCArgument]? {
        guard let last = arguments.last else { return nil }
        switch arguments.dropLast() {
        case []: return last.isPressed.map { [.text($0 ? "began" : "ended")] }
        case [.text("began")] where last.isButton: return [.text(last.isPressed == true ? "began" : "ended")]
        case [.text("ended")] where last.isButton: return [.text("ended")]
        default: return nil
        }
    }
}
