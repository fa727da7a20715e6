import Signals

/// One line of a debug panel: a knob, or a counter that only shows.
public struct ParameterReport: Encodable, Equatable, Sendable {
    public var name: String
    /// Nil for a counter that has nothing to count yet.
    public var value: ParameterValue?
    public var unit: String?
    public var isSettable: Bool
    /// Of a knob that is a number.
    public var minimum: Double?
    public var maximum: Double?
    /// Of a knob.
    public var standard: ParameterValue?

    public init(_ parameter: Parameter, _ tuning: Tuning) {
        name = parameter.rawValue
        value = tuning[parameter]
        unit = parameter.unit
        isSettable = true
        minimum = parameter.range?.lowerBound
        maximum = parameter.range?.upperBound
        standard = Tuning.standard[parameter]
    }

    public init(counter name: String, _ value: Double?, unit: String? = nil) {
        self.name = name
        self.value = value.map { .number($0) }
        self.unit = unit
        isSettable = false
    }
}

/// The answer to `param.list`.
public struct ParameterList: Encodable, Equatable, Sendable {
    public var parameters: [ParameterReport]

    public init(parameters: [ParameterReport]) { self.parameters = parameters }
}

/// The answer to `feed.cards`.
public struct CardList: Encodable, Equatable, Sendable {
    public var cards: [Card]

    public init(cards: [Card]) { self.cards = cards }
}
