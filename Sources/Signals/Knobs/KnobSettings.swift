import Fields

/// How a piece's knobs stand. A knob that is not named stands as it does when nobody has turned it.
public struct KnobSettings: Equatable, Sendable {
    /// By the knobs' names.
    public private(set) var values: [String: KnobValue]

    public init(_ values: [String: KnobValue] = [:]) { self.values = values }

    public static let standard = KnobSettings()

    public subscript(knob: Knob) -> KnobValue {
        get { values[knob.name] ?? knob.standard }
        set { values[knob.name] = newValue == knob.standard ? nil : newValue }
    }

    /// Whether `knob`, which is on or off, is on.
    public func isOn(_ knob: Knob) -> Bool { if case .flag(let flag) = self[knob] { flag } else { false } }

    /// Of `knob`, which is a number.
    public func number(_ knob: Knob) -> Double { if case .number(let number) = self[knob] { number } else { 0 } }

    /// Throws for a value that none of `knobs` has, or that its knob does not allow.
    public func check(_ knobs: [Knob]) throws(Fault) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try KnobChange(name, value).check(knobs) }
    }
}

extension KnobChange {
    /// Throws if none of `knobs` has this name, or the knob does not allow the value. Returns the knob.
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
    /// Reads the fields `name` and `value`, which are those of one of `knobs`. Throws `Fault`.
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
