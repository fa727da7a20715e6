import Fields
import Signals

/// Describes a setting. Help texts, the command line and the readers of settings files use it.
public struct SettingEntry: Sendable {
    /// When a change of the setting takes effect.
    public enum Effect: Sendable {
        case start, reload
    }

    public let name: String
    public let shape: SettingShape
    public let unit: String?
    /// The default value in words.
    public let standard: String
    /// The value in the example file: the default if a file can contain it, else an example.
    public let example: String
    public let effect: Effect
    /// An explanation of the setting: a sentence without its full stop.
    public let help: String
    /// Whether the setting has a command-line flag. A mapping can only stand in files, and a piece's knob only in files and variables.
    public let hasFlag: Bool

    /// Says which values are allowed, for instance `a number from 50 to 500 (ms)`.
    public var expected: String { shape.expected(unit: unit) }

    /// The setting's environment variable; nil for a mapping, which is for files only.
    public var variable: String? {
        if case .mapping = shape { return nil }
        return "THRUM_" + name.uppercased().replacing("-", with: "_")
    }

    /// The help as the command line prints it, for instance `Sample rate, 8000 to 192000 Hz. (default: 48000)`.
    public var summary: String { "\(sentence) (default: \(standard))" }

    /// The help as a sentence, with the range of values.
    var sentence: String {
        let range = shape.bounds.map { bounds in ", \(bounds)" + (unit.map { " \($0)" } ?? "") } ?? ""
        return help + range + "."
    }
}

/// A setting with a value of any type, for code that treats all settings alike.
public protocol AnySetting: Sendable {
    var entry: SettingEntry { get }

    /// Reads a value from text; nil where the value is not allowed.
    func value(of text: String) -> (any Sendable)?
}

/// One setting: its key, its allowed values, its default and its description. `SettingValues` has its value.
public final class Setting<Value: Sendable>: AnySetting {
    public let entry: SettingEntry
    /// The default value.
    public let standard: Value
    private let read: @Sendable (String) -> Value?

    /// Creates a setting. `words` describe the default where its text alone does not explain it. `example` replaces the default in the
    /// example file.
    init(_ name: String, _ kind: SettingKind<Value>, standard: Value, words: String? = nil, example: String? = nil,
         _ help: String, _ effect: SettingEntry.Effect = .start) {
        self.standard = standard
        let text = kind.write(standard)
        read = kind.read
        entry = SettingEntry(name: name, shape: kind.shape, unit: kind.unit, standard: words ?? text, example: example ?? text,
                             effect: effect, help: help, hasFlag: true)
    }

    /// Creates a setting that may have no value, which is its default. `otherwise` says in words what applies without a value.
    init<Wrapped: Sendable>(_ name: String, _ kind: SettingKind<Wrapped>, otherwise: String, example: String,
                            _ help: String, _ effect: SettingEntry.Effect = .start) where Value == Wrapped? {
        standard = nil
        read = { kind.read($0).map { .some($0) } }
        entry = SettingEntry(name: name, shape: kind.shape, unit: kind.unit, standard: otherwise, example: example, effect: effect,
                             help: help, hasFlag: true)
    }

    public func value(of text: String) -> (any Sendable)? { read(text) }
}

/// A setting whose value is a mapping in a settings file. Another reader reads the mapping's own keys.
public struct MappingSetting: Sendable {
    public let entry: SettingEntry

    /// Creates a mapping. `example` follows the key and its colon in the example file.
    init(_ name: String, _ words: String, otherwise: String, example: String, _ help: String, _ effect: SettingEntry.Effect) {
        entry = SettingEntry(name: name, shape: .mapping(words), unit: nil, standard: otherwise, example: example, effect: effect,
                             help: help, hasFlag: false)
    }

    public var name: String { entry.name }
}

extension SettingEntry {
    /// Creates the description of a piece's knob as a setting. The setting is the knob's value until somebody turns the knob.
    init(_ knob: Knob) {
        let (shape, standard): (SettingShape, String) = switch knob.kind {
        case .flag(let isOn): (.choice(["yes", "no"]), isOn ? "yes" : "no")
        case .number(let range, let standard): (.number(range), Fault.plain(standard))
        }
        self.init(name: knob.name, shape: shape, unit: knob.unit, standard: standard, example: standard, effect: .reload,
                  help: knob.about.prefix(1).uppercased() + knob.about.dropFirst(), hasFlag: false)
    }
}
