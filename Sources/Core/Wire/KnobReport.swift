import Experience
import Signals

/// A knob, or a counter, which cannot be set.
public struct KnobReport: Encodable, Equatable, Sendable {
    public var name: String
    /// Nil for a counter that has nothing to count yet.
    public var value: KnobValue?
    public var unit: String?
    public var isSettable: Bool
    /// Of a knob that is a number.
    public var minimum: Double?
    public var maximum: Double?
    /// Of a knob.
    public var standard: KnobValue?

    public init(_ knob: Knob, _ settings: KnobSettings) {
        name = knob.name
        value = settings[knob]
        unit = knob.unit
        isSettable = true
        minimum = knob.range?.lowerBound
        maximum = knob.range?.upperBound
        standard = knob.standard
    }

    public init(_ counter: Counter) {
        name = counter.name
        value = counter.value.map { .number($0) }
        unit = counter.unit
        isSettable = false
    }
}

/// The answer to `param.list`.
public struct KnobList: Encodable, Equatable, Sendable {
    public var parameters: [KnobReport]

    public init(parameters: [KnobReport]) { self.parameters = parameters }
}
