import Experience
import Fields
import Settings
import SettingsFile
import Signals
import Wire
import YAML

/// Reads the settings of a table from flags, environment and files, in this order. Every source is text, so that all have the same rules. A
/// wrong setting is noted and counts as not given, so that all faults are told at once.
final class SettingsReader {
    /// The settings that are right; the others have their defaults.
    var values: SettingValues
    /// The texts of all settings that were given, by the setting's key; wrong ones are among them.
    private(set) var given: [String: String] = [:]
    private let flags: [String: String]
    private let environment: [String: String]
    private let files: SettingsFiles
    /// The path of the file of last good settings, where `files` come from it; faults name it as their place. Nil where `files` are the
    /// settings files themselves.
    private let lastGood: String?
    private var faultsOfFiles: [FileFault] = []
    /// The faults of variables and flags, in words, each with its name.
    private var otherFaults: [String] = []

    init(_ table: SettingsTable, flags: [String: String], environment: [String: String], files: SettingsFiles, lastGood: String? = nil) {
        values = SettingValues(table)
        self.flags = flags
        self.environment = environment
        self.files = files
        self.lastGood = lastGood
        let single = table.entries.filter { $0.variable != nil }
        for entry in single {
            // Read in any case: what is wrong in a file is told, also where a flag counts.
            let inFile = attempt { try files.value(entry.name) }??.text
            let first = flags[entry.name] ?? entry.variable.flatMap { environment[$0] } ?? inFile
            let text = first.flatMap { $0.isEmpty ? nil : $0 }
            given[entry.name] = entry.shape.isPath ? text.flatMap { text in attempt { try path(text, of: entry) } } : text
        }
        for setting in table.settings {
            if let text = given[setting.entry.name] { attempt { try values.read(text, as: setting) } }
        }
        faultsOfFiles += files.unknownKeys(besides: Set(table.entries.map(\.name)), elsewhere: SettingsCatalog.elsewhere)
    }

    /// All faults in words, each with its place. Faults of files come first, in the order of their lines.
    var faults: [String] { faultsOfFiles.sorted().map(\.description) + otherFaults }

    /// Replaces `~` by the home directory. Throws `Fault` where there is none.
    private func path(_ text: String, of entry: SettingEntry) throws -> String {
        guard text == "~" || text.hasPrefix("~/") else { return text }
        guard let home = environment["HOME"] else {
            throw Fault(field: entry.name, expected: "a path without ~, because HOME is not set", found: "\"\(text)\"")
        }
        return home + text.dropFirst()
    }

    /// Notes a fault for each environment variable with the prefix `THRUM_` that is no setting.
    func noteStrangeVariables() {
        let known = Set(values.table.entries.compactMap(\.variable))
        let given = Set(environment.keys.filter { $0.hasPrefix("THRUM_") })
        for name in given.subtracting(known).sorted() {
            let hint = Spelling.nearest(to: name, among: known).map { ", such as \($0)" } ?? ""
            otherFaults.append(Fault(field: name, expected: "a variable that thrumd knows\(hint)", found: "this one").description)
        }
    }

    /// Returns the result of `body`; nil when it throws, and then the fault is noted.
    @discardableResult
    func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch let fault as Fault {
            note(fault)
        } catch let fault as FileFault {
            faultsOfFiles += fault.all
        } catch {
            otherFaults.append("\(error)")
        }
        return nil
    }

    /// Returns a fault in words for a warning, with its place where the mapping that has the fault is from a file.
    func located(_ fault: Fault) -> String { files.mapping(fault.key)?.file.located(fault).description ?? fault.explained.description }

    /// Adds a fault to `faults`, with the place that its setting is from. The setting is the first part of the fault's field.
    func note(_ fault: Fault) {
        let key = fault.key
        if flags[key] == nil, let variable = values.table[key]?.variable, environment[variable] != nil {
            otherFaults.append("\(variable): \(fault.explained)")
        } else if flags[key] == nil, let value = try? files.value(key) {
            faultsOfFiles.append(value.file.located(fault))
        } else {
            otherFaults.append("\(fault.explained)")
        }
    }

    /// Adds the fault that the setting `entry` has the value `found`, which it may not have.
    func note(_ entry: SettingEntry, found: String) {
        note(Fault(field: entry.name, expected: entry.expected, found: "\"\(found)\""))
    }

    /// Whether the setting of `key` is from a flag or a variable, and not from a file.
    func isOverridden(_ key: String) -> Bool {
        flags[key] != nil || values.table[key]?.variable.flatMap { environment[$0] } != nil
    }

    /// Reads the value that is made of these sections of the settings files; nil where it is wrong.
    func section<Section: Decodable>(_ type: Section.Type, _ mappings: [MappingSetting]) -> Section? {
        attempt { try files.decode(type, keys: mappings.map(\.name)) }
    }

    /// Returns the values that the knobs of `piece` have without a setting. In an exhibition the piece may have other values than usual.
    private func standards(of piece: Declaration) -> KnobSettings { values.exhibition ? piece.exhibition : .standard }

    /// Returns in words the value that a knob of `piece` has in an exhibition without a setting; nil where that is the usual value.
    func exhibited(_ name: String, in piece: Declaration) -> String? {
        switch standards(of: piece).values[name] {
        case .flag(let isOn): isOn ? "yes" : "no"
        case .number(let number): Fault.plain(number)
        case nil: nil
        }
    }

    /// The initial values of the knobs of `piece`. Those of other pieces are checked, too.
    func knobs(of piece: Declaration) -> KnobSettings {
        var settings = standards(of: piece)
        for knob in values.table.knobs {
            guard let text = given[knob.name], let value = attempt({ try knob.value(of: text) }) else { continue }
            if piece.knobs.contains(where: { $0.name == knob.name }) { settings[knob] = value }
        }
        return settings
    }
}

extension Fault {
    /// The key of the setting that has the fault. It is the first part of the fault's field.
    fileprivate var key: String { String(field.prefix { !".[".contains($0) }) }
}

// What is told of the settings in use.
extension SettingsReader {
    /// Returns the reports of all settings, in the order of the documentation, where `piece` plays.
    func reports(of piece: Declaration) -> [SettingReport] { values.table.entries.map { report($0, piece) } }

    private func report(_ entry: SettingEntry, _ piece: Declaration) -> SettingReport {
        var (value, source, place) = origin(of: entry)
        if source == .default, let exhibited = exhibited(entry.name, in: piece) { value = exhibited }
        let effect: SettingReport.Effect = switch entry.effect {
        case .start: .start
        case .reload: .reload
        }
        return SettingReport(key: entry.name, value: value, unit: source == .default ? nil : entry.unit, source: source, place: place,
                             effect: effect)
    }

    private func origin(of entry: SettingEntry) -> (value: String, SettingReport.Source, place: String?) {
        let name = entry.name
        guard let variable = entry.variable else {
            guard let mapping = files.mapping(name) else { return (entry.standard, .default, nil) }
            return inFile(mapping.text, mapping.file, name)
        }
        guard let text = given[name] else { return (entry.standard, .default, nil) }
        if flags[name] != nil { return (text, .flag, "--\(name)") }
        if environment[variable] != nil { return (text, .variable, variable) }
        guard let value = try? files.value(name) else { return (text, .file, nil) }
        return inFile(text, value.file, name)
    }

    private func inFile(_ text: String, _ file: YAMLTree, _ name: String) -> (value: String, SettingReport.Source, place: String?) {
        // The file itself has other lines now.
        if let lastGood { return (text, .lastGood, lastGood) }
        return (text, .file, file.location(of: name))
    }
}
