import Fields
import JSON

/// A request that a message in a datagram makes.
public struct OSCRequest: Sendable {
    /// When the request is to take effect, by the time of its bundle; nil means at once.
    public let time: OSCTime?
    /// The address, as it stands in the message.
    public let address: String
    /// The method with its unread arguments, or the error for an unknown address.
    public let call: Result<UnreadCall, ErrorReply>
}

/// A method with arguments that have not been read yet.
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
    /// The largest number of requests in a packet. A pattern makes a request for each address that it matches.
    static let requestLimit = 64

    /// The largest number of steps that all patterns of a packet together may take. `/*/*` takes about 700.
    static let stepLimit = 100_000

    /// The addresses of answers. Messages to them are no requests.
    private static let answers: Set = ["/error", "/reply"]

    /// Returns the requests that the packet's messages make. A method's address is its name with slashes: `/feed/scroll` for `feed.scroll`.
    /// Arguments are the method's parameters in order, except the moment, for which the time of the bundle counts. The first parameters may
    /// be parts of the address, as in `/touch/began`. A nil argument leaves a parameter out, and any number will do for true or false. A
    /// pattern may make several requests. Throws `Fault` when the packet asks for too much, before any parameter is read.
    public func requests(_ table: MethodTable) throws(Fault) -> [OSCRequest] {
        var budget = OSCPattern.Budget(left: Self.stepLimit)
        return try requests(table, &budget)
    }

    /// Returns the requests as `requests(_:)` does, and takes the steps of the packet's patterns from `budget`.
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
        // A method's name has at most two parts.
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

/// An address that a pattern can match. A method whose first parameter is a choice has one address for each choice, as in `/touch/began`,
/// but none without a choice.
struct OSCAddress: Sendable {
    /// The parts between the slashes. The first part, in front of the first slash, is empty.
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
    /// Returns the argument as JSON, for a parameter of this kind. Null leaves the parameter out.
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

    /// The argument as the state of a button: any number but 0 means pressed. nil where the argument is no number or flag.
    fileprivate var isPressed: Bool? {
        switch self {
        case .integer(let integer): integer != 0
        case .number(let number): number != 0
        case .flag(let flag): flag
        case .text, .nothing: nil
        }
    }

    /// Whether the argument looks like that of a button although a number is expected: a flag, or 1 or 0 as a floating-point number.
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

    /// The parameters that OSC messages can set. For events, these exclude the moment: it is the bundle's time, and must not be taken from
    /// a button's value.
    fileprivate var parametersOfOSC: ArraySlice<FieldDescription> {
        isEvent ? description.parameters.dropLast(2) : description.parameters[...]
    }

    /// Returns the calls that a message to this method makes; none for the release of a button, because its press was the whole request.
    /// `fault` is what is wrong with the message.
    fileprivate func calls(_ arguments: [OSCArgument], _ fault: Fault?) -> [Result<UnreadCall, ErrorReply>] {
        func call(_ arguments: [OSCArgument]) -> [Result<UnreadCall, ErrorReply>] {
            [.success(UnreadCall(method: self, arguments: arguments))]
        }
        // A method that only releases does so whatever arguments the message has.
        if access == .release { return call([]) }
        if let fault { return [.failure(ErrorReply(.invalidParams, fault: fault))] }
        if name == "touch", let touch = Self.touch(by: arguments) { return call(touch) }
        guard isEvent, arguments.count == parametersOfOSC.count + 1, let isPressed = arguments.last?.isPressed else {
            return call(arguments)
        }
        return isPressed ? call(arguments.dropLast()) : []
    }

    /// Returns the arguments of `touch` for a button that sends to `/touch` or `/touch/began`: its press begins a touch, and its release
    /// ends the touch. nil where the arguments are not those of a button.
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
