import Configuration
import ControlSocket
import Fields
import Live
import SettingsFile
import Signals
import YAML

/// Settings by key, from flags, environment and files, in this order; every source is read as text, so that all have the same
/// rules. What is wrong is noted, and counts as not given, so that all that is wrong can be told at once.
final class Values {
    private let flags: [String: String]
    private let environment: [String: String]
    private let files: SettingsFiles
    private var texts: [String: String] = [:]
    private var faultsOfFiles: [FileFault] = []
    /// Of variables and flags, in words, each with its name.
    private var otherFaults: [String] = []

    init(flags: [String: String], environment: [String: String], files: SettingsFiles) {
        self.flags = flags
        self.environment = environment
        self.files = files
        var inFiles: [String: String] = [:]
        for key in Key.all { inFiles[key.name] = attempt { try files.value(key.name) }??.text }
        let reader = ConfigReader(providers: [
            Self.provider("flags", flags),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "thrum"),
            Self.provider("files", inFiles),
        ])
        for key in Key.all {
            let text = reader.string(forKey: ConfigKey(key.name))
            texts[key.name] = key.isPath ? text.flatMap { given in attempt { try path(given, of: key) } } : text
        }
        faultsOfFiles += files.strangers(to: Set(Key.all.map(\.name) + Key.deviceSections + Key.venueSections))
    }

    /// In words, each with its place: of files in the order of their lines, then of all else.
    var faults: [String] { faultsOfFiles.sorted().map(\.description) + otherFaults }

    /// With the home directory for `~`. Throws `Fault` where there is none.
    private func path(_ text: String, of key: Key) throws -> String {
        guard text == "~" || text.hasPrefix("~/") else { return text }
        guard let home = environment["HOME"] else {
            throw Fault(field: key.name, expected: "a path without ~, because HOME is not set", found: "\"\(text)\"")
        }
        return home + text.dropFirst()
    }

    /// Variables that begin as ours do and are none.
    func noteStrangeVariables() {
        let known = Set(Key.all.map(\.variable))
        let given = Set(environment.keys.filter { $0.hasPrefix("THRUM_") })
        for name in given.subtracting(known).subtracting(Key.otherVariables).sorted() {
            let hint = Spelling.nearest(to: name, among: known).map { ", such as \($0)" } ?? ""
            otherFaults.append(Fault(field: name, expected: "a variable that thrumd knows\(hint)", found: "this one").description)
        }
    }

    private static func provider(_ name: String, _ values: [String: String]) -> InMemoryProvider {
        InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: values.map { key, value in
            (AbsoluteConfigKey([key]), ConfigValue(.string(value), isSecret: false))
        }))
    }

    /// Nil when it throws; then what is wrong is noted.
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

    /// Says where the setting is from, which is the first part of the field.
    func note(_ fault: Fault) {
        let key = String(fault.field.prefix { !".[".contains($0) })
        if flags[key] == nil, let variable = Key.byName[key]?.variable, environment[variable] != nil {
            otherFaults.append("\(variable): \(fault.explained)")
        } else if flags[key] == nil, let value = try? files.value(key) {
            faultsOfFiles.append(value.file.located(fault))
        } else {
            otherFaults.append("\(fault.explained)")
        }
    }

    /// Nil when nothing was given, or nothing but emptiness.
    func text(_ key: String) -> String? {
        precondition(Key.byName[key] != nil, "a setting that is read is in the catalog")
        return texts[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    func choice(_ key: String) -> String? {
        read(key) { kind, text in if case .choice(let choices) = kind, choices.contains(text) { text } else { nil } }
    }

    /// Nil when nothing was given.
    func isOn(_ key: String) -> Bool? { choice(key).map { $0 == "yes" } }

    func number(_ key: String) -> Double? {
        read(key) { kind, text in
            if case .number(let range) = kind, let value = Double(text), range.contains(value) { value } else { nil }
        }
    }

    func integer(_ key: String) -> Int? {
        read(key) { kind, text in if case .integer(let range) = kind, let value = Int(text), range.contains(value) { value } else { nil } }
    }

    /// Channels of a sink, from 1; none when nothing was given.
    func channels(_ key: String) -> [Int] {
        read(key) { _, text in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let channels = words.compactMap { word in Int(word.filter { $0 != " " }) }.filter { (1...8).contains($0) }
            return channels.count == words.count && Set(channels).count == channels.count ? channels : nil
        } ?? []
    }

    /// `good` gives nil for what is none of the key's kind.
    func read<Value>(_ key: String, _ good: (Key.Kind, String) -> Value?) -> Value? {
        guard let text = text(key), let kind = Key.byName[key] else { return nil }
        guard let value = good(kind.kind, text) else {
            note(Fault(field: key, expected: kind.expected, found: key.hasSuffix("token") ? nil : "\"\(text)\""))
            return nil
        }
        return value
    }

    /// Whether a flag or a variable says so, and no file.
    func isOverridden(_ key: String) -> Bool { flags[key] != nil || Key.byName[key].map { environment[$0.variable] != nil } ?? false }

    /// What has these sections; nil where it is wrong.
    func section<Section: Decodable>(_ type: Section.Type, keys: [String]) -> Section? {
        attempt { try files.decode(type, keys: keys) }
    }

    /// The knobs, each a key.
    var tuning: Tuning {
        var tuning = Tuning.standard
        for parameter in Parameter.allCases {
            guard let text = text(parameter.rawValue) else { continue }
            if let change = attempt({ try ParameterChange(parameter, text: text) }) { tuning.apply(change) }
        }
        return tuning
    }

    /// As they were given, for comparison with others.
    var given: [String: String] { texts.filter { !$0.value.isEmpty } }
}
