import Fields

extension ParameterChange {
    /// Reads the value of `parameter` from the field `name`. Throws the range it is to keep to.
    public init(_ parameter: Parameter, _ fields: Fields, _ name: String) throws {
        if let range = parameter.range {
            self.init(parameter, unchecked: .number(try fields.number(name, in: range, unit: parameter.unit)))
        } else {
            self.init(parameter, unchecked: .flag(try fields.flag(name)))
        }
    }

    /// Reads text, as settings have it: a number, or yes or no.
    public init(_ parameter: Parameter, text: String) throws(Fault) {
        guard let range = parameter.range else {
            let flags = ["yes": true, "true": true, "no": false, "false": false]
            guard let flag = flags[text] else { throw Fault(field: parameter.rawValue, expected: "yes or no", found: "\"\(text)\"") }
            self.init(parameter, unchecked: .flag(flag))
            return
        }
        guard let value = Double(text), range.contains(value) else {
            throw Fault(field: parameter.rawValue, expected: Fields.words(for: range, unit: parameter.unit), found: "\"\(text)\"")
        }
        self.init(parameter, unchecked: .number(value))
    }
}

/// Each knob by its name; those left out stand where they stand by default.
extension Tuning: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: Parameter.allCases.map(\.rawValue))
        self.init()
        for parameter in Parameter.allCases where fields.contains(parameter.rawValue) {
            apply(try ParameterChange(parameter, fields, parameter.rawValue))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        for parameter in Parameter.allCases { try container.encode(self[parameter], forKey: .init(parameter.rawValue)) }
    }
}

extension ParameterValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        }
    }
}
