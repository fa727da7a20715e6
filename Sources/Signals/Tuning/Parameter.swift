/// A knob of an experience that may be turned while it runs.
public enum Parameter: String, CaseIterable, Sendable {
    /// On: every skin of the catalogue counts as unlocked.
    case forceUnlockAll = "force-unlock-all"
    /// From one toast to the next, at least.
    case toastCooldown = "toast-cooldown"
    /// That a card carries a new skin.
    case chanceEarly = "chance-early"
    case chanceMiddle = "chance-middle"
    case chanceLate = "chance-late"

    /// What it may be set to; nil for one that is on or off.
    public var range: ClosedRange<Double>? {
        switch self {
        case .forceUnlockAll: nil
        case .toastCooldown: 0...60
        case .chanceEarly, .chanceMiddle, .chanceLate: 0...1
        }
    }

    public var unit: String? {
        switch self {
        case .forceUnlockAll: nil
        case .toastCooldown: "seconds"
        case .chanceEarly, .chanceMiddle, .chanceLate: "chance per card"
        }
    }
}

public enum ParameterValue: Equatable, Sendable {
    case flag(Bool)
    /// Within the parameter's range.
    case number(Double)
}

/// One knob turned.
public struct ParameterChange: Equatable, Sendable {
    public let parameter: Parameter
    public let value: ParameterValue

    init(_ parameter: Parameter, unchecked value: ParameterValue) {
        self.parameter = parameter
        self.value = value
    }

    public static func forceUnlockAll(_ on: Bool) -> ParameterChange { ParameterChange(.forceUnlockAll, unchecked: .flag(on)) }
}
