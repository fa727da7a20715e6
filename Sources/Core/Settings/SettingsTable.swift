import Experience
import Fields
import Signals

/// All settings: those of the catalog, and the knobs of the pieces.
public final class SettingsTable: Sendable {
    /// The settings of one subject.
    struct Section: Sendable {
        var heading: String
        var entries: [SettingEntry]
    }

    /// The declarations of all pieces.
    public let pieces: [Declaration]
    public let catalog: SettingsCatalog
    /// The catalog's settings with a single value, in its order.
    public let settings: [any AnySetting]
    /// The catalog's mappings, in its order.
    public let mappings: [MappingSetting]
    /// The knobs of all pieces. A knob that several pieces declare in the same way is listed once.
    public let knobs: [Knob]
    let sections: [Section]
    private let byName: [String: SettingEntry]

    /// Creates the table. Throws `SettingClash` where pieces have different knobs of one name, or a knob has another setting's name.
    public convenience init(pieces: [Declaration]) throws(SettingClash) {
        let catalog = SettingsCatalog(pieces: pieces)
        let taken = Self.sections(of: catalog).flatMap(\.entries).map(\.name)
        self.init(pieces, catalog, knobs: try Self.knobs(of: pieces, beside: Set(taken)))
    }

    /// Creates a table without any piece.
    public convenience init() { self.init([], SettingsCatalog(pieces: []), knobs: []) }

    private init(_ pieces: [Declaration], _ catalog: SettingsCatalog, knobs: [Knob]) {
        self.pieces = pieces
        self.catalog = catalog
        self.knobs = knobs
        let properties = Self.properties(of: catalog)
        settings = properties.compactMap { $0 as? any AnySetting }
        mappings = properties.compactMap { $0 as? MappingSetting }
        let ofPieces = Section(heading: "Knobs of the pieces", entries: knobs.map { SettingEntry($0) })
        sections = Self.sections(of: catalog) + (knobs.isEmpty ? [] : [ofPieces])
        byName = Dictionary(uniqueKeysWithValues: sections.flatMap(\.entries).map { ($0.name, $0) })
    }

    /// The catalog's properties in their order: settings and headings.
    private static func properties(of catalog: SettingsCatalog) -> [Any] { Mirror(reflecting: catalog).children.map(\.value) }

    private static func sections(of catalog: SettingsCatalog) -> [Section] {
        var sections: [Section] = []
        for property in properties(of: catalog) {
            switch property {
            case let heading as SettingsCatalog.Heading: sections.append(Section(heading: heading.words, entries: []))
            case let setting as any AnySetting: sections[sections.count - 1].entries.append(setting.entry)
            case let mapping as MappingSetting: sections[sections.count - 1].entries.append(mapping.entry)
            default: preconditionFailure("the catalog holds settings and headings, and nothing else")
            }
        }
        return sections
    }

    private static func knobs(of pieces: [Declaration], beside taken: Set<String>) throws(SettingClash) -> [Knob] {
        var knobs: [(knob: Knob, owner: String)] = []
        for piece in pieces {
            for knob in piece.knobs {
                if taken.contains(knob.name) { throw SettingClash(name: knob.name, owners: ["thrumd", piece.name]) }
                guard let known = knobs.first(where: { $0.knob.name == knob.name }) else {
                    knobs.append((knob, piece.name))
                    continue
                }
                guard known.knob.kind == knob.kind, known.knob.unit == knob.unit else {
                    throw SettingClash(name: knob.name, owners: [known.owner, piece.name])
                }
            }
        }
        return knobs.map(\.knob)
    }

    /// The entries of all keys, in the order of the documentation.
    public var entries: [SettingEntry] { sections.flatMap(\.entries) }

    /// The entry of a key; nil where there is no such key.
    public subscript(name: String) -> SettingEntry? { byName[name] }
}

/// The error that two different settings have the same name.
public struct SettingClash: Error, Equatable, CustomStringConvertible {
    public var name: String
    /// Descriptions, for the message, of what has declared a setting of this name.
    public var owners: [String]

    public var description: String { "\(name): two settings of one name that differ: \(owners.joined(separator: ", "))" }
}

/// The values of a table's settings: the values that were given, and the defaults of all other settings.
@dynamicMemberLookup
public struct SettingValues: Sendable {
    public let table: SettingsTable
    /// The values that were given, by the settings' names. Each has the type of its setting.
    private var given: [String: any Sendable] = [:]

    /// Creates values with the default of every setting.
    public init(_ table: SettingsTable) { self.table = table }

    public subscript<Value>(dynamicMember path: KeyPath<SettingsCatalog, Setting<Value>>) -> Value {
        get {
            let setting = table.catalog[keyPath: path]
            guard let value = given[setting.entry.name] else { return setting.standard }
            return value as? Value ?? setting.standard
        }
        set { given[table.catalog[keyPath: path].entry.name] = newValue }
    }

    /// Whether a value was given for the setting, so that its default does not apply.
    public func isGiven<Value>(_ path: KeyPath<SettingsCatalog, Setting<Value>>) -> Bool {
        given[table.catalog[keyPath: path].entry.name] != nil
    }

    /// Reads `text` as the setting's value. Throws `Fault` where the value is not allowed; nothing has changed then.
    public mutating func read(_ text: String, as setting: any AnySetting) throws(Fault) {
        guard let value = setting.value(of: text) else {
            let entry = setting.entry
            throw Fault(field: entry.name, expected: entry.expected, found: "\"\(text)\"")
        }
        given[setting.entry.name] = value
    }

    /// Takes over those values from `new` that a reload changes. All other values stay.
    public mutating func reload(from new: SettingValues) {
        for setting in table.settings where setting.entry.effect == .reload {
            given[setting.entry.name] = new.given[setting.entry.name]
        }
    }
}
