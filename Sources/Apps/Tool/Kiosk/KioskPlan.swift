import Experience
import Fields
import Files
import Kiosk
import Settings
import SettingsFile
import SystemPackage
import YAML

/// What a kiosk is to be, by the settings.
struct KioskPlan {
    var settings: KioskSettings
    /// The daemon's, such as `http://127.0.0.1:7400`.
    var address: String

    /// Nil where the settings make no kiosk of this machine. Throws `FileFault` or `Fault`.
    init?(_ files: SettingsFiles) throws {
        guard let settings = try files.decode(KioskSection.self, keys: ["kiosk"]).kiosk else { return nil }
        let http = SettingsTable().catalog.http
        guard let text = try files.value(http.entry.name)?.text else {
            throw Fault(field: http.entry.name, expected: "\(http.entry.expected), because a kiosk's pages come from there",
                        found: "nothing")
        }
        guard let endpoint = http.value(of: text) as? Endpoint else {
            throw Fault(field: http.entry.name, expected: http.entry.expected, found: "\"\(text)\"")
        }
        // A server for every address of the machine is reached at its own.
        let isForAll = ["0.0.0.0", "::"].contains(endpoint.address)
        guard isForAll || endpoint.address.hasPrefix("127.") || ["localhost", "::1"].contains(endpoint.address) else {
            throw Fault(field: http.entry.name,
                        expected: "a port, or an address such as 127.0.0.1:7400 or 0.0.0.0:7400, because a kiosk reaches this machine only",
                        found: "\"\(text)\"")
        }
        self.settings = settings
        address = "http://" + (isForAll ? "127.0.0.1:\(endpoint.port)" : endpoint.host)
    }

    /// Pages that are not there, or another piece's, each with its place. A piece that no file names may be told to thrumd in another way.
    static func pageFaults(_ settings: KioskSettings, _ files: SettingsFiles, among pieces: [any Experience.Type]) -> [FileFault] {
        let catalog = SettingsTable().catalog
        func text(_ key: String) -> String? { (try? files.value(key))?.text }
        guard let folder = text(catalog.www.entry.name) ?? ProgramFiles.folder("www")?.string else { return [] }
        let played = text(catalog.experience.entry.name)
        let others = played == nil ? [] : pieces.declarations.filter { $0.name != played }.compactMap(\.page)
        let faults = settings.pageFaults(others: others, in: folder) { !PlainFile.isMissing("\(folder)/\($0)/index.html") }
        return faults.compactMap { files.mapping("kiosk")?.file.located($0) }
    }

    func arguments(of screen: String, profile: String, word: String) -> [String] {
        ChromiumArguments.list(for: screen, page: page(of: screen), at: address, profile: profile, word: word)
    }

    func url(of screen: String, word: String) -> String {
        ChromiumArguments.url(of: page(of: screen), at: address, screen: screen, word: word)
    }

    /// Of several screens a page has touches of its own, unless the settings say which of the engine's touchscreens is in front of it.
    private func page(of screen: String) -> String {
        let page = settings.screens[screen]?.page ?? ""
        let named = settings.screens[screen]?.touchscreen.map { "touchscreen=\($0)" }
        guard let wish = named ?? (settings.screens.count > 1 ? "touches=page" : nil) else { return page }
        return page + (page.contains("?") ? "&" : "?") + wish
    }
}
