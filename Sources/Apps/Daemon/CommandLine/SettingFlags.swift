import ArgumentParser
import Fields
import Settings

/// A flag for each setting, made from the table. Flags win over all other sources.
struct SettingFlags: ParsableArguments, CustomReflectable {
    /// All settings. The parser creates this type without arguments, so it is static.
    @TaskLocal static var table = SettingsTable()

    /// By key, those that were given.
    let values: [String: String]

    private static var entries: [SettingEntry] { table.entries.filter(\.hasFlag) }

    init() { values = [:] }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Fields.Key.self)
        var values: [String: String] = [:]
        for entry in Self.entries {
            values[entry.name] = try container.decode(Option<String?>.self, forKey: Fields.Key(entry.name)).wrappedValue
        }
        self.values = values
    }

    /// What the parser would find if each flag were an `@Option` property.
    var customMirror: Mirror {
        Mirror(self, children: Self.entries.map { ($0.name, Self.option($0)) }, displayStyle: .struct)
    }

    private static func option(_ entry: SettingEntry) -> Option<String?> {
        let completion: CompletionKind? = switch entry.shape {
        case .choice(let choices): .list(choices)
        case .file: .file()
        case .directory: .directory
        case .number, .whole, .text, .mapping: nil
        }
        return Option(name: .customLong(entry.name), parsing: entry.shape.allowsNegative ? .unconditional : .next,
                      help: ArgumentHelp(entry.summary), completion: completion)
    }
}
