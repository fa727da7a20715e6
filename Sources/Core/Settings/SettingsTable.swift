import Experience
import Fields
import Signals

/// All settings there are: those of the catalog, and the knobs of the pieces.
public final class SettingsTable: Sendable {
    /// Entries of one subject.
    struct Section: Sendable {
        var heading: String
        var entries: [SettingEntry]
    }

    /// The pieces there are, by what they declare.
    public let pieces: [Declaration]
    public let catalog: SettingsCatalog
    /// The catalog's settings with a single value, in its order.
    public let settings: [any AnySetting]
    /// The catalog's mappings, in its order.
    public let mappings: [MappingSetting]
    /// The pieces' knobs by name. One that several pieces declare alike is there once.
    public let knobs: [Knob]
    let sections: [Section]
    private let byName: [String: SettingEntry]

    /// Throws `SettingClash` where two pieces have different knobs of one name, or a knob has the name of another setting.
    public convenience init(pieces: [Declaration]) throws(SettingClash) {
        let catalog = SettingsCatalog(pieces: pieces)
        let taken = Self.sections(of: catalog).flatMap(\.entries).map(\.name)
        self.init(pieces, catalog, knobs: try Self.knobs(of: pieces, beside: Set(taken)))
    }

    /// Makes the table without any piece.
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

    /// The catalog's properties, which are the table's entries and headings, in the order of the catalog.
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

/// The error that two settings of one name differ.
public struct SettingClash: Error, Equatable, CustomStringConvertible {
    public var name: String
    /// Who declares the setting, in words.
    public var owners: [String]

    public var description: String { "\(name): two settings of one name that differ: \(owners.joined(separator: ", "))" }
}

/// The values of a table's settings: those that were given, or else the defaults.
@dynamicMemberLookup
public struct SettingValues: Sendable {
    public let table: SettingsTable
    /// The values that were given, by the settings' names, each of its setting's type.
    private var given: [String: any Sendable] = [:]

    /// Creates values that are all defaults.
    public init(_ table: SettingsTable) { self.table = table }

    public subscript<Value>(dynamicMember path: KeyPath<SettingsCatalog, Setting<Value>>) -> Value {
        get {
            let setting = table.catalog[keyPath: path]
            guard let value = given[setting.entry.name] else { return setting.standard }
            return value as? Value ?? setting.standard
        }
        set { given[table.catalog[keyPath: path].entry.name] = newValue }
    }

    /// Whether the setting was given, and not left to its default.
    public func isGiven<Value>(_ path: KeyPath<SettingsCatalog, Setting<Value>>) -> Bool {
        given[table.catalog[keyPath: path].entry.name] != nil
    }

    /// Reads `text` as the setting's value. Throws `Fault` where it is not allowed, and then has changed nothing.
    public mutating func read(_ text: String, as setting: any AnySetting) throws(Fault) {
        guard let value = setting.value(of: text) else {
            let entry = setting.entry
            throw Fault(field: entry.name, expected: entry.expected, found: "\"\(text)\"")
        }
        given[setting.entry.name] = value
    }

    /// Takes over the values of settings that a reload changes. The others stay.
    public mutating func reload(from new: SettingValues) {
        for setting in table.settings where setting.entry.effect == .reload {
            given[setting.entry.name] = new.given[setting.entry.name]
        }
    }
}
