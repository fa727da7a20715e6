import Fields

/// A setting of a piece's rules that operators may change while the piece runs.
public struct Knob: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case flag(standard: Bool)
        case number(ClosedRange<Double>, standard: Double)
    }

    public let name: String
    public let kind: Kind
    /// The unit of a number, for instance `seconds`; nil for a number without a unit, and for a flag.
    public let unit: String?
    /// Describes the knob for people.
    public let about: String

    public init(_ name: String, _ kind: Kind, unit: String? = nil, about: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.about = about
    }

    /// The knob's value as long as nobody has turned it.
    public var standard: KnobValue {
        switch kind {
        case .flag(let standard): .flag(standard)
        case .number(_, let standard): .number(standard)
        }
    }

    /// The allowed range of a number; nil for a flag.
    public var range: ClosedRange<Double>? { if case .number(let range, _) = kind { range } else { nil } }

    /// The `expected` of a fault for a wrong value, for instance `a number from 0 to 60 (seconds)`.
    public var expected: String { range.map { Fields.words(for: $0, unit: unit) } ?? "true or false" }

    /// Whether the knob may be turned to `value`.
    public func allows(_ value: KnobValue) -> Bool {
        switch (kind, value) {
        case (.flag, .flag): true
        case (.number(let range, _), .number(let number)): range.contains(number)
        case (.flag, .number), (.number, .flag): false
        }
    }

    /// Reads a value from the text of a setting: a number, or yes or no. Throws `Fault`.
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

    /// The value as text: `true`, `false` or a number.
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

/// A change of one knob's value.
public struct KnobChange: Equatable, Sendable {
    /// The knob's name.
    public var name: String
    public var value: KnobValue

    public init(_ name: String, _ value: KnobValue) {
        self.name = name
        self.value = value
    }
}

/// The values of a piece's knobs. A knob that is missing here has its default value.
public struct KnobSettings: Equatable, Sendable {
    /// The values that differ from the defaults, by the names of their knobs.
    public private(set) var values: [String: KnobValue]

    public init(_ values: [String: KnobValue] = [:]) { self.values = values }

    public static let standard = KnobSettings()

    public subscript(knob: Knob) -> KnobValue {
        get { values[knob.name] ?? knob.standard }
        set { values[knob.name] = newValue == knob.standard ? nil : newValue }
    }

    /// Whether `knob`, which must be a flag, is on.
    public func isOn(_ knob: Knob) -> Bool { if case .flag(let flag) = self[knob] { flag } else { false } }

    /// The value of `knob`, which must be a number.
    public func number(_ knob: Knob) -> Double { if case .number(let number) = self[knob] { number } else { 0 } }

    /// Throws `Fault` for a name that is not among `knobs`, or a value that its knob does not allow.
    public func check(_ knobs: [Knob]) throws(Fault) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try KnobChange(name, value).check(knobs) }
    }
}

extension KnobChange {
    /// Returns the knob that is to be turned. Throws `Fault` if `knobs` does not contain it, or if it does not allow the value.
    @discardableResult
    public func check(_ knobs: [Knob]) throws(Fault) -> Knob {
        guard let knob = knobs.first(where: { $0.name == name }) else {
            let expected = knobs.isEmpty ? "none, because the experience has no knobs"
                : "one of " + knobs.map(\.name).joined(separator: ", ")
            throw Fault(field: "name", expected: expected, found: "\"\(name)\"" + Spelling.hint(for: name, among: knobs.map(\.name)))
        }
        guard knob.allows(value) else { throw Fault(field: "value", expected: knob.expected, found: value.words) }
        return knob
    }
}

extension KnobChange {
    /// Reads the fields `name` and `value`, which must fit one of `knobs`. Throws `Fault`.
    public init(_ fields: Fields, of knobs: [Knob]) throws {
        let name = try fields.choice("name", of: knobs.map(\.name))
        guard let knob = knobs.first(where: { $0.name == name }) else {
            throw fields.fault("name", "none, because the experience has no knobs", found: "\"\(name)\"")
        }
        switch knob.kind {
        case .flag: self.init(name, .flag(try fields.flag("value")))
        case .number(let range, _): self.init(name, .number(try fields.number("value", in: range, unit: knob.unit)))
        }
    }
}

extension KnobSettings: Codable {
    public init(from decoder: any Decoder) throws {
        do {
            self.init(try decoder.singleValueContainer().decode([String: KnobValue].self))
        } catch is DecodingError {
            throw Fault(field: Fields.path(decoder.codingPath), expected: "an object of knobs")
        }
    }

    public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
