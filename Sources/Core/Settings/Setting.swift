import Fields

/// What is told about a setting: to people, to the command line, and to whoever reads files.
public struct SettingEntry: Sendable {
    /// When a change of it counts.
    public enum Effect: Sendable {
        case start, reload
    }

    public let name: String
    public let shape: SettingShape
    public let unit: String?
    /// Its value when nothing is said, in words.
    public let standard: String
    /// A value as the example file has it: where it can be written, the default.
    public let example: String
    public let effect: Effect
    /// A sentence without its full stop.
    public let help: String
    /// A knob of a piece, and a mapping, are for files and the former for variables, too.
    public let hasFlag: Bool

    /// What would be right, for instance `a number from 50 to 500 (ms)`.
    public var expected: String { shape.expected(unit: unit) }

    /// Its environment variable; nil for a mapping, which is for files only.
    public var variable: String? {
        if case .mapping = shape { return nil }
        return "THRUM_" + name.uppercased().replacing("-", with: "_")
    }

    /// As the command line's help has it, for instance `Sample rate, 8000 to 192000 Hz. (default: 48000)`.
    public var summary: String { "\(sentence) (default: \(standard))" }

    /// The help with its range.
    var sentence: String {
        let range = shape.bounds.map { bounds in ", \(bounds)" + (unit.map { " \($0)" } ?? "") } ?? ""
        return help + range + "."
    }
}

/// A setting of whatever type.
public protocol AnySetting: Sendable {
    var entry: SettingEntry { get }

    /// Nil for what is not allowed.
    func value(of text: String) -> (any Sendable)?
}

/// One setting: its key, what it may be, its default, and all that is said about it. Whoever uses it reads it by its name in
/// `SettingValues`.
public final class Setting<Value: Sendable>: AnySetting {
    public let entry: SettingEntry
    /// When nothing is said.
    public let standard: Value
    private let read: @Sendable (String) -> Value?

    /// `words` say the default where its text does not; `example` is for the example file, where the default is not to be.
    init(_ name: String, _ kind: SettingKind<Value>, standard: Value, words: String? = nil, example: String? = nil,
         _ help: String, _ effect: SettingEntry.Effect = .start) {
        self.standard = standard
        let text = kind.write(standard)
        read = kind.read
        entry = SettingEntry(name: name, shape: kind.shape, unit: kind.unit, standard: words ?? text, example: example ?? text,
                             effect: effect, help: help, hasFlag: true)
    }

    /// One that may be nothing, which is its default: `otherwise` says what is then.
    init<Wrapped: Sendable>(_ name: String, _ kind: SettingKind<Wrapped>, otherwise: String, example: String,
                            _ help: String, _ effect: SettingEntry.Effect = .start) where Value == Wrapped? {
        standard = nil
        read = { kind.read($0).map { .some($0) } }
        entry = SettingEntry(name: name, shape: kind.shape, unit: kind.unit, standard: otherwise, example: example, effect: effect,
                             help: help, hasFlag: true)
    }

    public func value(of text: String) -> (any Sendable)? { read(text) }
}

/// A key of a settings file that has keys of its own, which its reader knows.
public struct MappingSetting: Sendable {
    public let entry: SettingEntry

    /// `example` is what follows the key and its colon in the example file.
    init(_ name: String, _ words: String, otherwise: String, example: String, _ help: String, _ effect: SettingEntry.Effect) {
        entry = SettingEntry(name: name, shape: .mapping(words), unit: nil, standard: otherwise, example: example, effect: effect,
                             help: help, hasFlag: false)
    }

    public var name: String { entry.name }
}
