import Experience
import Fields
import Settings
import SettingsFile
import Signals
import YAML

/// Reads the settings of a table from flags, environment and files, in this order. Every source is text, so that all have the same rules. A
/// wrong setting is noted and counts as not given, so that all faults are told at once.
final class SettingsReader {
    /// The settings that are right; the others have their defaults.
    var values: SettingValues
    /// The texts that were given, by key, also wrong ones.
    private(set) var given: [String: String] = [:]
    let flags: [String: String]
    let environment: [String: String]
    let files: SettingsFiles
    /// The file that has the texts of `files` where these are not the files themselves; nil where they are.
    let lastGood: String?
    private var faultsOfFiles: [FileFault] = []
    /// Of variables and flags, in words, each with its name.
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
        faultsOfFiles += files.strangers(to: Set(table.entries.map(\.name)), elsewhere: SettingsCatalog.elsewhere)
    }

    /// In words, each with its place: of files in the order of their lines, then of all else.
    var faults: [String] { faultsOfFiles.sorted().map(\.description) + otherFaults }

    /// With the home directory for `~`. Throws `Fault` where there is none.
    private func path(_ text: String, of entry: SettingEntry) throws -> String {
        guard text == "~" || text.hasPrefix("~/") else { return text }
        guard let home = environment["HOME"] else {
            throw Fault(field: entry.name, expected: "a path without ~, because HOME is not set", found: "\"\(text)\"")
        }
        return home + text.dropFirst()
    }

    /// Variables with our prefix that are no settings.
    func noteStrangeVariables() {
        let known = Set(values.table.entries.compactMap(\.variable))
        let given = Set(environment.keys.filter { $0.hasPrefix("THRUM_") })
        for name in given.subtracting(known).sorted() {
            let hint = Spelling.nearest(to: name, among: known).map { ", such as \($0)" } ?? ""
            otherFaults.append(Fault(field: name, expected: "a variable that thrumd knows\(hint)", found: "this one").description)
        }
    }

    /// Nil when it throws; then the fault is noted.
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

    /// In a mapping of a file, with its place, in words; for warnings.
    func located(_ fault: Fault) -> String { files.mapping(fault.key)?.file.located(fault).description ?? fault.explained.description }

    /// Says where the setting is from, which is the first part of the field.
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

    /// That `found` is not what the setting is to be.
    func note(_ entry: SettingEntry, found: String) {
        note(Fault(field: entry.name, expected: entry.expected, found: "\"\(found)\""))
    }

    /// Whether it is from a flag or a variable, and not from a file.
    func isOverridden(_ key: String) -> Bool {
        flags[key] != nil || values.table[key]?.variable.flatMap { environment[$0] } != nil
    }

    /// What has these sections; nil where it is wrong.
    func section<Section: Decodable>(_ type: Section.Type, _ mappings: [MappingSetting]) -> Section? {
        attempt { try files.decode(type, keys: mappings.map(\.name)) }
    }

    /// The knobs of `piece` as they stand where nothing is said of them.
    private func standards(of piece: Declaration) -> KnobSettings { values.exhibition ? piece.exhibition : .standard }

    /// How a knob of `piece` stands where nothing is said of it, in words; nil for as always.
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
    /// Of the setting, which is the first part of the field.
    fileprivate var key: String { String(field.prefix { !".[".contains($0) }) }
}
