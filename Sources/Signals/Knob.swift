import Fields

/// A setting of a piece's rules that may be turned while it runs.
public struct Knob: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case flag(standard: Bool)
        case number(ClosedRange<Double>, standard: Double)
    }

    public let name: String
    public let kind: Kind
    /// Of a number, for instance `seconds`.
    public let unit: String?
    /// For people.
    public let about: String

    public init(_ name: String, _ kind: Kind, unit: String? = nil, about: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.about = about
    }

    /// How it stands when nobody has turned it.
    public var standard: KnobValue {
        switch kind {
        case .flag(let standard): .flag(standard)
        case .number(_, let standard): .number(standard)
        }
    }

    /// What a number may be; nil for a flag.
    public var range: ClosedRange<Double>? { if case .number(let range, _) = kind { range } else { nil } }

    /// What would be right, for instance `a number from 0 to 60 (seconds)`.
    public var expected: String { range.map { Fields.words(for: $0, unit: unit) } ?? "true or false" }

    /// Whether it may be turned to `value`.
    public func allows(_ value: KnobValue) -> Bool {
        switch (kind, value) {
        case (.flag, .flag): true
        case (.number(let range, _), .number(let number)): range.contains(number)
        case (.flag, .number), (.number, .flag): false
        }
    }

    /// Reads text, as settings have it: a number, or yes or no. Throws `Fault`.
    public func value(of text: String) throws(Fault) -> KnobValue {
        let flags = ["yes": true, "true": true, "no": false, "false": false]
        switch kind {
        case .flag:
            guard let flag = flags[text] else { throw Fault(field: name, expected: "yes or no", found: "\"\(text)\"") }
            return .flag(flag)
        case .number(let range, _):
            guard let number = Double(text), range.contains(number) else {
                throw Fault(field: name, expected: expected, found: "\"\(text)\"")
            }
            return .number(number)
        }
    }
}

public enum KnobValue: Equatable, Sendable {
    case flag(Bool)
    case number(Double)

    /// In words, for people.
    public var words: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .number(let number): Fault.plain(number)
        }
    }
}

extension KnobValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            throw Fault(field: Fields.path(decoder.codingPath), expected: "a number, or true or false")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        }
    }
}

/// One knob turned.
public struct KnobChange: Equatable, Sendable {
    /// Of the knob.
    public var name: String
    public var value: KnobValue

    public init(_ name: String, _ value: KnobValue) {
        self.name = name
        self.value = value
    }
}
