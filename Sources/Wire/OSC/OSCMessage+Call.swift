import FoundationEssentials
import Signals

extension OSCMessage {
    /// What the message asks for: the methods of the protocol under addresses of the same names, `/feed/swipe` for `feed.swipe`, with its
    /// parameters in their order. A parameter may be part of the address, as in `/touch/began`; nil leaves one out; 1 and 0 do for
    /// true and false. A pattern may ask for several.
    public var calls: [Result<Call, ErrorReply>] {
        if address.contains(where: { "?*[]{}".contains($0) }) {
            let pattern = OSCPattern(address)
            let calls = Self.addresses.filter { pattern.matches($0.address) }
                .map { call($0.method, $0.choice.map { [.text($0)] + arguments } ?? arguments) }
            return calls.isEmpty ? [.failure(stranger)] : calls
        }
        let words = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        for count in stride(from: words.count, to: 0, by: -1) {
            let method = words.prefix(count).joined(separator: ".")
            guard Call.methods.contains(method) else { continue }
            return [call(method, words.dropFirst(count).map { .text($0) } + arguments)]
        }
        return [.failure(stranger)]
    }

    /// Every address that a pattern may mean. Where a method begins with a choice, only its choices count, as in `/touch/began`.
    private static let addresses: [(address: String, method: String, choice: String?)] = Call.methods.flatMap { method in
        let address = "/" + method.split(separator: ".").joined(separator: "/")
        guard case .choice(let choices)? = Call.parameters(of: method).first(where: \.isRequired)?.kind else {
            return [(address, method, nil)] as [(String, String, String?)]
        }
        return choices.map { (address + "/" + $0, method, $0) }
    }

    private var stranger: ErrorReply {
        let expected = "a method's address; /rpc/discover tells which there are"
        return ErrorReply(.methodNotFound, fault: Fault(field: "address", expected: expected, found: "\"\(address.prefix(64))\""))
    }

    private func call(_ method: String, _ arguments: [OSCArgument]) -> Result<Call, ErrorReply> {
        do {
            let fields = Call.parameters(of: method)
            guard arguments.count <= fields.count else { throw Call.tooMany(arguments.count, of: fields.map(\.name)) }
            let values = zip(fields, arguments).map { field, argument in argument.value(for: field.kind) }
            let text = try JSONText([UInt8](try JSONEncoder().encode(values)), within: .none)
            var work = ReadingWork()
            guard let call = try Call.read(method, text, list: 0, &work) else { preconditionFailure("there is such a method") }
            return .success(call)
        } catch {
            return .failure(ErrorReply(.invalidParams, error))
        }
    }
}

extension OSCArgument {
    /// Null leaves the field out.
    fileprivate func value(for kind: FieldDescription.Kind) -> JSONValue {
        switch self {
        case .integer(let integer) where kind.isFlag && (0...1).contains(integer): .flag(integer == 1)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .flag(let flag): .flag(flag)
        case .nothing: .null
        }
    }
}

extension FieldDescription.Kind {
    fileprivate var isFlag: Bool { if case .flag = self { true } else { false } }
}
