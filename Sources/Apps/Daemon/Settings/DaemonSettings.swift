import Classifier
import Direct
import Escaping
import Evdev
import Experience
import Fields
import Files
import Kiosk
import Live
import ModelFile
import Offline
import PatternFile
import Settings
import SettingsFile
import Signals
import SystemPackage
import ThemeFile
import Units
import Venue
import Wire
import YAML

/// All settings of thrumd, from flags, environment and files, read and checked.
struct DaemonSettings: Sendable {
    let live: LiveSettings
    /// Warnings in words: faults in the settings that do no harm.
    let warnings: [String]
    /// The faults that `--check-config` refuses, but a start does not, because sound plays despite them: pages that browsers cannot get,
    /// and a model that cannot be used.
    let refused: [String]
    /// The files that the settings are from.
    let files: [SettingsFiles.File]
    /// The files as they were at the start. Settings that need a restart are still those of these files. Nil where they equal `files`.
    let atStart: [SettingsFiles.File]?
    /// The texts of the settings that were given, by key. `changes` compares them with the `given` of another reading.
    private let given: [String: String]

    /// Reads the settings of `files`. `running` is the piece that plays already, whatever the settings say; nil at a start. Throws
    /// `SettingsFaults` with all faults.
    init(_ source: SettingsSource, files: [SettingsFiles.File], running: (any Experience.Type)?) throws {
        try self.init(source, files, atStart: nil, theme: nil, lastGood: nil, running: running)
    }

    /// Reads the settings `last`, which were good last; `file` is where they were stored. Their theme replaces what the settings say
    /// about themes and patterns. Throws `SettingsFaults` with all faults.
    init(_ source: SettingsSource, _ last: LastGood, at file: FilePath) throws {
        try self.init(source, last.files, atStart: last.atStart, theme: last.theme, lastGood: file.string, running: nil)
    }

    private init(_ source: SettingsSource, _ files: [SettingsFiles.File], atStart: [SettingsFiles.File]?, theme: Theme?, lastGood: String?,
                 running: (any Experience.Type)?) throws {
        let waiting = source.table.entries.filter { $0.effect == .start }.map(\.name)
        let layers: SettingsFiles
        do {
            layers = try SettingsFiles(files, earlier: atStart ?? [], for: atStart == nil ? [] : Set(waiting))
        } catch {
            throw SettingsFaults(words: ["\(error)"])
        }
        let reader = SettingsReader(source.table, flags: source.flags, environment: source.environment, files: layers, lastGood: lastGood)
        let catalog = source.table.catalog
        // Unknown keys do not stop a start with the last good settings: they were unknown then, too.
        if theme == nil { reader.noteStrangeVariables() }
        self.files = files
        self.atStart = atStart
        given = reader.given
        let rules = reader.section(DeviceRules.self, [catalog.touchscreens, catalog.motors, catalog.switches]) ?? DeviceRules()
        let piece = running ?? source.pieces.named(reader.values.experience) ?? Direct.self
        let themes = ThemeSettings(reader, source.environment, for: piece.declaration, fixed: theme)
        let model = ModelSettings(reader, for: piece.declaration, among: source.pieces.declarations)
        reader.boundClients()
        reader.checkOSCOperators()
        reader.checkOSCOut()
        // thrum kiosk uses it; a fault in it is to be found here, too. What only the kiosk lacks does not stop the sound.
        let kiosk = reader.section(KioskSection.self, [catalog.kiosk])?.kiosk
        let venue = reader.section(Venue.self, [catalog.presets, catalog.schedule, catalog.hearing]) ?? .standard
        let pages = kiosk.map { Self.faults(ofPagesOf: $0, reader, piece, among: source.pieces) } ?? []
        refused = pages + [model.prediction.refusal].compactMap { $0 }
        warnings = refused + themes.warnings + venue.schedule.oddities.map(reader.located)
            + Self.warnings(ofPages: reader.values.http == nil ? nil : reader.values.www)
            + (kiosk.map { Self.warnings(of: $0, hasPages: reader.values.http != nil, rules) } ?? [])
        var live = LiveSettings(
            reader.values,
            piece: piece,
            socket: source.socket.map { .passed($0) } ?? reader.values.socket.map { .path($0) } ?? DefaultPaths.socket(source.environment),
            access: reader.access,
            http: reader.http(ProgramFiles.folder("www")?.string,
                              docs: (ProgramFiles.folder("site") ?? ProgramFiles.folder("out/site"))?.string),
            sessions: reader.values.sessions ?? reader.attempt { try DefaultPaths.sessions(source.environment) } ?? "",
            state: DefaultPaths.state(source.environment)?.string,
            theme: themes.theme,
            themes: themes.themes,
            venue: venue,
            knobs: reader.knobs(of: piece.declaration),
            version: version,
            devices: reader.values.devices ? rules : .none,
            receipts: reader.receipts)
        live.reports = reader.reports(of: piece.declaration)
        live.patterns = themes.patterns
        live.prediction = model.prediction
        live.kioskScreens = kiosk?.screens.keys.sorted() ?? []
        self.live = live
        guard reader.faults.isEmpty else { throw SettingsFaults(words: reader.faults) }
    }

    private static func warnings(ofPages folder: String?) -> [String] {
        guard let folder else { return [] }
        guard PlainFile.isFolder(folder) else {
            return ["www: expected a folder of pages, found none at \(folder): no page will be served"]
        }
        guard PlainFile.isFolder(folder + "/kit"), ProgramFiles.folder("www") != FilePath(folder).lexicallyNormalized() else { return [] }
        return ["www: \(folder)/kit is not served: /kit is the kit that came with thrumd"]
    }

    private static func faults(ofPagesOf kiosk: KioskSettings, _ reader: SettingsReader, _ piece: any Experience.Type,
                               among pieces: [any Experience.Type]) -> [String] {
        guard reader.values.http != nil, let folder = reader.values.www ?? ProgramFiles.folder("www")?.string else { return [] }
        let others = pieces.declarations.compactMap(\.page).filter { $0 != piece.declaration.page }
        return kiosk.pageFaults(others: others, in: folder) { !PlainFile.isMissing("\(folder)/\($0)/index.html") }.map(reader.located)
    }

    private static func warnings(of kiosk: KioskSettings, hasPages: Bool, _ rules: DeviceRules) -> [String] {
        let pages = hasPages ? [] : ["kiosk: its pages come from http, which is not set: thrum kiosk will not start"]
        // Without rules a touchscreen has its own name.
        guard let touchscreens = rules.touchscreens else { return pages }
        return pages + kiosk.screens.sorted { $0.key < $1.key }.compactMap { name, screen in
            guard let touchscreen = screen.touchscreen, touchscreens[touchscreen] == nil else { return nil }
            return "kiosk: the screen \(name) is not touched: touchscreens has no \(touchscreen)"
        }
    }

    /// Returns the settings that differ from those of `other`, as a reload from `other` to these settings reports them.
    func changes(since other: DaemonSettings) -> [ReloadReport.Change] {
        let former = Dictionary(uniqueKeysWithValues: other.live.reports.map { ($0.key, $0.value) })
        let catalog = live.values.table.catalog
        // A file may have changed, and its name not.
        let others = [(catalog.theme.entry.name, live.theme != other.live.theme),
                      (catalog.churnModel.entry.name, live.prediction.model != other.live.prediction.model)].filter(\.1).map(\.0)
        return live.reports.filter { $0.effect == .reload }.compactMap { report in
            guard let before = former[report.key] else { return nil }
            let isOther = before != report.value || others.contains(report.key)
            return isOther ? ReloadReport.Change(key: report.key, former: before, value: report.value) : nil
        }
    }

    /// Returns the keys of settings that differ from `other`'s and need a restart.
    func waitingForRestart(since other: DaemonSettings) -> [String] {
        let table = live.values.table
        let keys = table.entries.filter { $0.effect == .start && given[$0.name] != other.given[$0.name] }.map(\.name)
        // By the rules' meaning, not their text.
        let rules = table.mappings.filter { $0.entry.effect == .start }.map(\.name)
        return keys + (live.devices == other.live.devices ? [] : rules)
    }
}

/// The error that settings have faults: each fault in words, with its place.
struct SettingsFaults: Error, CustomStringConvertible {
    var words: [String]

    var description: String { words.joined(separator: "\n") }
}

func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.printableLines.utf8) }

/// The setting `churn-model`, applied to the piece that plays.
struct ModelSettings {
    private(set) var prediction = LiveSettings.Prediction()

    private static let key = "churn-model"

    /// Reads the setting, and the file that it names. `piece` is the piece that plays, and `pieces` are all pieces. Notes a fault in
    /// `reader` for a name that no model of these pieces has. Where the file cannot be used, `prediction` has the reason, and the piece's
    /// standard model predicts.
    init(_ reader: SettingsReader, for piece: Declaration, among pieces: [Declaration]) {
        guard let wanted = reader.values.churnModel else { return }
        guard Self.isFile(wanted) else {
            prediction.model = reader.attempt { try Self.own(wanted, piece, among: pieces) } ?? nil
            return
        }
        // Another piece has no use for it.
        guard let declaration = piece.prediction else { return }
        let file = FilePath(wanted)
        do {
            let (classifier, bytes) = try Classifier.read(file, inputs: declaration.inputs)
            prediction.model = .learned(classifier)
            prediction.bytes = bytes
        } catch {
            // A fault names the file itself.
            let reason = error is Fault ? "\(error)" : "\(file.shown): \(error)"
            prediction.refusal = "\(Self.key): \(reason); \(declaration.standard.name) predicts in its place"
        }
    }

    /// Whether the setting's text is a path, and not the name of a model.
    private static func isFile(_ text: String) -> Bool { text.contains("/") || text.hasSuffix(".mlmodel") }

    /// Returns the piece's own model called `name`; nil where the piece predicts nothing and another piece has that model. Throws `Fault`
    /// for any other name.
    private static func own(_ name: String, _ piece: Declaration, among pieces: [Declaration]) throws -> PredictionModel? {
        if let own = piece.prediction?.models, own.contains(name) { return .own(name) }
        let known = piece.prediction?.models ?? pieces.compactMap(\.prediction).flatMap(\.models)
        guard piece.prediction == nil, known.contains(name) else {
            throw Fault(field: key, expected: "one of " + known.joined(separator: ", ") + ", or the path of a .mlmodel",
                        found: "\"\(name)\"" + Spelling.hint(for: name, among: known))
        }
        return nil
    }
}

/// The themes with the settings applied: each theme has the patterns of the settings, and is limited to their ceiling.
struct ThemeSettings {
    private(set) var theme: Theme
    /// All themes by name, `theme` among them.
    private(set) var themes: [String: Theme] = [:]
    /// The settings' own patterns, by name: each theme has them.
    private(set) var patterns: [String: HapticPattern] = [:]
    private(set) var warnings: [String] = []

    /// Reads the themes, for the piece `piece`. Faults are noted in `reader`. Where `fixed` is given, that theme replaces the files' themes
    /// and patterns.
    init(_ reader: SettingsReader, _ environment: [String: String], for piece: Declaration, fixed: Theme?) {
        let fixed = reader.isOverridden("theme") || reader.isOverridden("patterns") ? nil : fixed
        let read: ThemeLibrary.ConcurrentPatternReader = { try PatternFile.read($0).pattern }
        let library = ThemeLibrary(ThemeLibrary.folders(environment), readingPattern: read)
        warnings = library.problems.map { "passed over: \($0)" }
        let wanted = reader.values.theme
        theme = fixed ?? .standard
        if fixed == nil, let chosen = reader.attempt({ try Self.theme(wanted, library, read) }) { theme = chosen }
        for entry in library.entries { themes[entry.theme.name] = entry.theme }
        themes[theme.name] = theme
        if fixed == nil { patterns = readPatterns(reader) }
        themes = themes.mapValues { [patterns] in $0.fitted(patterns, ceiling: reader.values.ceiling) }
        theme = themes[theme.name] ?? theme
        let used = theme
        // The last good theme is used even if a sound file is gone; that sound is silent.
        if fixed == nil { reader.attempt { try used.check(for: piece) } }
        for (name, other) in themes where name != theme.name {
            do {
                try other.check(for: piece)
            } catch {
                themes[name] = nil
                warnings.append("the theme \(name) is passed over: \(error)")
            }
        }
    }

    /// Finds the theme `wanted` by its name, or reads it from a file. `wanted` is a path if it contains a `/`, or if it has the ending of
    /// theme files and is the name of no theme.
    private static func theme(_ wanted: String, _ library: ThemeLibrary, _ read: ThemeFile.PatternReader) throws -> Theme {
        if let entry = library[wanted] { return entry.theme }
        if ThemeLibrary.isFile(wanted) {
            do {
                return try ThemeFile(FilePath(wanted), readingPattern: read).theme
            } catch Errno.noSuchFileOrDirectory where !wanted.contains("/") {
                // Then it may be a name with a slip in it.
            } catch let error as Errno {
                throw Fault(field: "theme", expected: "the file of a theme", found: "\(wanted): \(error)")
            }
        }
        if let problem = FileFault(library.problems.filter { FilePath($0.file).stem == wanted }) { throw problem }
        throw Fault(field: "theme", expected: "one of " + library.names.joined(separator: ", ") + ", or a path",
                    found: "\"\(wanted)\"" + Spelling.hint(for: wanted, among: library.names))
    }

    private mutating func readPatterns(_ reader: SettingsReader) -> [String: HapticPattern] {
        guard let path = reader.values.patterns, let folder = reader.attempt({ try PatternFolder(FilePath(path)) }) else { return [:] }
        warnings += folder.ignored.map { "\($0.file): passed over: " + $0.paths.prefix(10).joined(separator: ", ") }
        return folder.patterns
    }
}
