import ArgumentParser
import Experience
import Fields
import Files
import FoundationEssentials
import Glibc
import Kiosk
import Processes
import Settings
import SettingsFile
import SystemPackage
import Systemd
import YAML

struct KioskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kiosk",
        abstract: "Show the page on this machine's screens, and keep it there.",
        discussion: """
            Starts sway and Chromium as the setting `kiosk` says, and starts anew what fails: a page that stops drawing, a tab that \
            crashes, a browser that hangs or grows, a compositor that ends. `thrum status` has the counts.

            Screens are off outside opening hours. It runs until it is interrupted, and not as root, which sway refuses.

            EXAMPLES
              thrum kiosk
              thrum kiosk --check --config /etc/thrum/thrum.yaml
            """)

    @Flag(help: """
        Print what would be started, and start nothing. Exit status 78 where the settings make no kiosk of this machine, 255 where they \
        have a fault.
        """)
    var check = false

    @OptionGroup var settings: SettingsOption
    @OptionGroup var daemon: DaemonSocket

    func run() async throws {
        var plan = try readPlan()
        let folder = try folder()
        if check {
            Swift.print(SwayConfiguration.text(for: plan.settings), terminator: "")
            for screen in plan.settings.screens.keys.sorted() {
                let arguments = plan.arguments(of: screen, profile: folder.appending("profile-\(screen)").string, word: "…")
                print((["chromium"] + arguments).joined(separator: " "))
            }
            return
        }
        guard geteuid() != 0 else { throw failure("root cannot run a kiosk: sway and Chromium's sandbox refuse root", Exit.settings) }
        let socket = daemon.path
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true,
                                                    attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure("\(folder): cannot be made: \(error)", Exit.cannotCreate)
        }
        Interruption.watch()
        // Writing to a browser that has ended must not end this program.
        signal(SIGPIPE, SIG_IGN)
        let link = KioskLink(socket)
        let conversation = Task { await link.run() }
        let notifier = Notifier(ProcessInfo.processInfo.environment)
        while true {
            var kiosk = RunningKiosk(plan, in: folder, link: link, notifier: notifier)
            await kiosk.run()
            guard !Interruption.hasCome else { break }
            warn("starts anew, because an operator has asked for it")
            // Settings with a fault, which is printed, leave the kiosk as it was.
            plan = (try? readPlan()) ?? plan
        }
        conversation.cancel()
        // A report that is still being sent must not arrive after the farewell.
        await conversation.value
        await link.leave()
    }

    private func readPlan() throws -> KioskPlan {
        let plan: KioskPlan?
        do {
            let files = try settings.files()
            plan = try KioskPlan(files)
            let faults = check ? plan.map { KioskPlan.pageFaults($0.settings, files, among: Pieces.current.all) } ?? [] : []
            guard faults.isEmpty else { throw failure(faults.map(\.description).joined(separator: "\n"), ExitCode(255)) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            // With --check this is the unit's `ExecCondition`: only status 255 has the unit fail, and any other status has it skipped.
            throw failure("\(error)", check ? ExitCode(255) : Exit.settings)
        }
        guard let plan else { throw failure("kiosk: the settings make no kiosk of this machine (docs/operations.md)", Exit.settings) }
        return plan
    }

    /// Returns the folder for the kiosk's sockets and the browsers' profiles. Its contents do not outlast a restart of the machine.
    private func folder() throws -> FilePath {
        let environment = ProcessInfo.processInfo.environment
        if let own = environment["RUNTIME_DIRECTORY"] { return FilePath(own) }
        guard let users = environment["XDG_RUNTIME_DIR"] else {
            throw failure("XDG_RUNTIME_DIR is needed: a folder for sockets, such as /run/user/1000", Exit.unavailable)
        }
        return FilePath(users).appending("thrum-kiosk")
    }
}

/// The kiosk's settings, and the address of the daemon whose pages the kiosk shows.
struct KioskPlan {
    var settings: KioskSettings
    /// The daemon's address, such as `http://127.0.0.1:7400`.
    var address: String

    /// Reads the settings of the kiosk. Nil where they make no kiosk of this machine. Throws `FileFault` or `Fault`.
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
        // A server that listens on all addresses of the machine is reached at 127.0.0.1.
        let isForAll = ["0.0.0.0", "::"].contains(endpoint.address)
        guard isForAll || endpoint.address.hasPrefix("127.") || ["localhost", "::1"].contains(endpoint.address) else {
            throw Fault(field: http.entry.name,
                        expected: "a port, or an address such as 127.0.0.1:7400 or 0.0.0.0:7400, because a kiosk reaches this machine only",
                        found: "\"\(text)\"")
        }
        self.settings = settings
        address = "http://" + (isForAll ? "127.0.0.1:\(endpoint.port)" : endpoint.host)
    }

    /// Returns a fault, with its place in the settings file, for each page that does not exist or belongs to another piece. The second is
    /// checked only where a settings file names the piece, because thrumd may get the piece's name in another way.
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

    /// Returns the path of a screen's page, with the parameter that says from where it gets touches. That is the page itself where there
    /// are several screens, unless the settings say which touchscreen of the engine is in front of this screen.
    private func page(of screen: String) -> String {
        let page = settings.screens[screen]?.page ?? ""
        let named = settings.screens[screen]?.touchscreen.map { "touchscreen=\($0)" }
        guard let wish = named ?? (settings.screens.count > 1 ? "touches=page" : nil) else { return page }
        return page + (page.contains("?") ? "&" : "?") + wish
    }
}
