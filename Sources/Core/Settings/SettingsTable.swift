import Experience
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
    /// Those of the catalog with a single value, in its order.
    public let settings: [any AnySetting]
    /// Those of the catalog that are mappings.
    public let mappings: [MappingSetting]
    /// By name; one that several pieces have alike is there once.
    public let knobs: [Knob]
    let sections: [Section]
    private let byName: [String: SettingEntry]

    /// Throws `SettingClash` where two pieces have different knobs of one name, or a knob has the name of another setting.
    public convenience init(pieces: [Declaration]) throws(SettingClash) {
        let catalog = SettingsCatalog(pieces: pieces)
        let taken = Self.sections(of: catalog).flatMap(\.entries).map(\.name)
        self.init(pieces, catalog, knobs: try Self.knobs(of: pieces, beside: Set(taken)))
    }

    /// Without a piece.
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

    /// They are the entries, in the order in which they stand there.
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

    /// Every key, in the order of the documentation.
    public var entries: [SettingEntry] { sections.flatMap(\.entries) }

    /// Nil for what is no key.
    public subscript(name: String) -> SettingEntry? { byName[name] }
}
