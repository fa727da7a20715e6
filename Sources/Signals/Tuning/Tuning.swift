import Units

/// How all knobs of an experience stand.
public struct Tuning: Equatable, Sendable {
    public private(set) var forcesUnlocks = false
    public private(set) var toastCooldown = Seconds(3)
    public private(set) var chanceEarly = 0.20
    public private(set) var chanceMiddle = 0.12
    public private(set) var chanceLate = 0.08

    public static let standard = Tuning()

    public init() {}

    public subscript(parameter: Parameter) -> ParameterValue {
        switch parameter {
        case .forceUnlockAll: .flag(forcesUnlocks)
        case .toastCooldown: .number(toastCooldown.rawValue)
        case .chanceEarly: .number(chanceEarly)
        case .chanceMiddle: .number(chanceMiddle)
        case .chanceLate: .number(chanceLate)
        }
    }

    public mutating func apply(_ change: ParameterChange) {
        switch (change.parameter, change.value) {
        case (.forceUnlockAll, .flag(let on)): forcesUnlocks = on
        case (.toastCooldown, .number(let seconds)): toastCooldown = Seconds(seconds)
        case (.chanceEarly, .number(let chance)): chanceEarly = chance
        case (.chanceMiddle, .number(let chance)): chanceMiddle = chance
        case (.chanceLate, .number(let chance)): chanceLate = chance
        case (.forceUnlockAll, .number), (_, .flag): preconditionFailure("a change has the kind of value its parameter has")
        }
    }
}
