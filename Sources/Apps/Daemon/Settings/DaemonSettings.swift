import Direct
import Escaping
import Evdev
import Experience
import Fields
import Files
import Kiosk
import Live
import Settings
import SettingsFile
import Signals
import SystemPackage
import Venue
import Wire

/// All settings of thrumd, from flags, environment and files, read and checked.
struct DaemonSettings: Sendable {
    let live: LiveSettings
    /// Warnings: faults that do no harm.
    let warnings: [String]
    /// The warnings that `--check-config` refuses: nobody sees the page, and yet the sound goes on.
    let refused: [String]
    /// The files that the settings are from.
    let files: [SettingsFiles.File]
    /// The files at the start, which have the settings that count from a start on; nil where they are the same.
    let atStart: [SettingsFiles.File]?
    /// The texts that were given, by key, for comparison with others.
    private let given: [String: String]

    /// Reads the settings of `files`. `running` is the piece that plays already, whatever the settings say; nil at a start. Throws
    /// `SettingsFaults`: all that is wrong.
    init(_ source: SettingsSource, files: [SettingsFiles.File], running: (any Experience.Type)?) throws {
        try self.init(source, files, atStart: nil, theme: nil, place: nil, running: running)
    }

    /// Reads the settings that were good last, from the file at `place`: their theme counts instead of what the settings say about themes
    /// and patterns. Throws `SettingsFaults`: all that is wrong.
    init(_ source: SettingsSource, _ last: LastGood, at place: FilePath) throws {
        try self.init(source, last.files, atStart: last.atStart, theme: last.theme, place: place.string, running: nil)
    }

    private init(_ source: SettingsSource, _ files: [SettingsFiles.File], atStart: [SettingsFiles.File]?, theme: Theme?, place: String?,
                 running: (any Experience.Type)?) throws {
        let waiting = source.table.entries.filter { $0.effect == .start }.map(\.name)
        let layers: SettingsFiles
        do {
            layers = try SettingsFiles(files, earlier: atStart ?? [], for: atStart == nil ? [] : Set(waiting))
        } catch {
            throw SettingsFaults(words: ["\(error)"])
        }
        let reader = SettingsReader(source.table, flags: source.flags, environment: source.environment, files: layers, lastGood: place)
        let catalog = source.table.catalog
        // Unknown keys do not stop a start with the last good settings: they were unknown then, too.
        if theme == nil { reader.noteStrangeVariables() }
        self.files = files
        self.atStart = atStart
        given = reader.given
        let rules = reader.section(DeviceRules.self, [catalog.touchscreens, catalog.motors]) ?? DeviceRules()
        let piece = running ?? source.pieces.named(reader.values.experience) ?? Direct.self
        let themes = ThemeSettings(reader, source.environment, for: piece.declaration, fixed: theme)
        reader.boundClients()
        reader.checkOSCOperators()
        reader.checkOSCOut()
        // thrum kiosk uses it; a fault in it is to be found here, too. What only the kiosk lacks does not stop the sound.
        let kiosk = reader.section(KioskSection.self, [catalog.kiosk])?.kiosk
        let venue = reader.section(Venue.self, [catalog.presets, catalog.schedule, catalog.hearing]) ?? .standard
        refused = kiosk.map { Self.faults(ofPagesOf: $0, reader, piece, among: source.pieces) } ?? []
        warnings = refused + themes.warnings + venue.schedule.oddities.map(reader.located)
            + Self.warnings(ofPages: reader.values.http == nil ? nil : reader.values.www)
            + (kiosk.map { Self.warnings(of: $0, hasPages: reader.values.http != nil, rules) } ?? [])
        var live = LiveSettings(
            reader.values,
            piece: piece,
            socket: source.socket.map { .passed($0) } ?? reader.values.socket.map { .path($0) } ?? Place.socket(source.environment),
            access: reader.access,
            http: reader.http(ProgramFiles.folder("www")?.string,
                              docs: (ProgramFiles.folder("site") ?? ProgramFiles.folder("out/site"))?.string),
            sessions: reader.values.sessions ?? reader.attempt { try Place.sessions(source.environment) } ?? "",
            state: Place.state(source.environment)?.string,
            theme: themes.theme,
            themes: themes.themes,
            venue: venue,
            knobs: reader.knobs(of: piece.declaration),
            version: version,
            devices: reader.values.devices ? rules : .none,
            receipts: reader.receipts)
        live.reports = reader.reports(of: piece.declaration)
        live.patterns = themes.patterns
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

    /// The changes by a reload that goes from `other` to these settings.
    func changes(since other: DaemonSettings) -> [ReloadReport.Change] {
        let former = Dictionary(uniqueKeysWithValues: other.live.reports.map { ($0.key, $0.value) })
        let theme = live.values.table.catalog.theme.entry.name
        return live.reports.filter { $0.effect == .reload }.compactMap { report in
            guard let before = former[report.key] else { return nil }
            // The theme's file may have changed, and its name not.
            let isOther = before != report.value || report.key == theme && live.theme != other.live.theme
            return isOther ? ReloadReport.Change(key: report.key, former: before, value: report.value) : nil
        }
    }

    /// The keys of settings that differ from `other`'s and need a restart.
    func waitingForRestart(since other: DaemonSettings) -> [String] {
        let table = live.values.table
        let keys = table.entries.filter { $0.effect == .start && given[$0.name] != other.given[$0.name] }.map(\.name)
        // By the rules' meaning, not their text.
        let rules = table.mappings.filter { $0.entry.effect == .start }.map(\.name)
        return keys + (live.devices == other.live.devices ? [] : rules)
    }
}

/// The faults of the settings, each with its place, in words.
struct SettingsFaults: Error, CustomStringConvertible {
    var words: [String]

    var description: String { words.joined(separator: "\n") }
}

func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.printableLines.utf8) }
