import Fields

/// What a setting may be, apart from its type.
public enum SettingShape: Equatable, Sendable {
    case choice([String])
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// In words.
    case text(String)
    /// The same; `~` at its start is the home directory.
    case file(String)
    case directory(String)
    /// Keys of its own, in a settings file only; in words.
    case mapping(String)

    /// What would be right, for instance `a number from 50 to 500 (ms)`.
    func expected(unit: String?) -> String {
        let unit = unit.map { " (\($0))" } ?? ""
        return switch self {
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .number(let range): "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))" + unit
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)" + unit
        case .text(let words), .file(let words), .directory(let words), .mapping(let words): words
        }
    }

    public var isPath: Bool {
        switch self {
        case .file, .directory: true
        default: false
        }
    }

    /// `50 to 500`; nil where it is no number.
    var bounds: String? {
        switch self {
        case .number(let range): "\(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))"
        case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
        default: nil
        }
    }

    /// Whether a value may begin with a minus sign, as flags do.
    public var allowsNegative: Bool {
        switch self {
        case .number(let range): range.lowerBound < 0
        case .whole(let range): range.lowerBound < 0
        default: false
        }
    }
}
