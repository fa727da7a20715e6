import Fields

/// What the settings of a table are: what was given, or else the default.
@dynamicMemberLookup
public struct SettingValues: Sendable {
    public let table: SettingsTable
    /// By name, each of its setting's type.
    private var given: [String: any Sendable] = [:]

    /// All as they are when nothing is said.
    public init(_ table: SettingsTable) { self.table = table }

    public subscript<Value>(dynamicMember path: KeyPath<SettingsCatalog, Setting<Value>>) -> Value {
        get {
            let setting = table.catalog[keyPath: path]
            guard let value = given[setting.entry.name] else { return setting.standard }
            return value as? Value ?? setting.standard
        }
        set { given[table.catalog[keyPath: path].entry.name] = newValue }
    }

    /// Whether it was given, and not left to its default.
    public func isGiven<Value>(_ path: KeyPath<SettingsCatalog, Setting<Value>>) -> Bool {
        given[table.catalog[keyPath: path].entry.name] != nil
    }

    /// Reads `text`. Throws what was expected and found, and then has changed nothing.
    public mutating func read(_ text: String, as setting: any AnySetting) throws(Fault) {
        guard let value = setting.value(of: text) else {
            let entry = setting.entry
            throw Fault(field: entry.name, expected: entry.expected, found: "\"\(text)\"")
        }
        given[setting.entry.name] = value
    }

    /// Takes over what a reload changes; the rest stays.
    public mutating func reload(from new: SettingValues) {
        for setting in table.settings where setting.entry.effect == .reload {
            given[setting.entry.name] = new.given[setting.entry.name]
        }
    }
}
