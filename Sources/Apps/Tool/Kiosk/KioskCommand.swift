import ArgumentParser
import Fields
import FoundationEssentials
import Glibc
import Kiosk
import SystemPackage
import Systemd

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
        let plan = try plan()
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
        // A browser that has ended does not read what it is asked.
        signal(SIGPIPE, SIG_IGN)
        let link = KioskLink(socket)
        let conversation = Task { await link.run() }
        var kiosk = RunningKiosk(plan, in: folder, link: link, notifier: Notifier(ProcessInfo.processInfo.environment))
        await kiosk.run()
        conversation.cancel()
        // What it was about to say must not come after the farewell.
        await conversation.value
        await link.leave()
    }

    private func plan() throws -> KioskPlan {
        let plan: KioskPlan?
        do {
            let files = try settings.files()
            plan = try KioskPlan(files)
            let faults = check ? plan.map { KioskPlan.pageFaults($0.settings, files, among: Pieces.current.all) } ?? [] : []
            guard faults.isEmpty else { throw failure(faults.map(\.description).joined(separator: "\n"), ExitCode(255)) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            // As its `ExecCondition`, only 255 has the unit fail. Any other status has it skipped.
            throw failure("\(error)", check ? ExitCode(255) : Exit.settings)
        }
        guard let plan else { throw failure("kiosk: the settings make no kiosk of this machine (docs/operations.md)", Exit.settings) }
        return plan
    }

    /// For sockets and the browsers' own files, none of which outlasts the machine's start.
    private func folder() throws -> FilePath {
        let environment = ProcessInfo.processInfo.environment
        if let own = environment["RUNTIME_DIRECTORY"] { return FilePath(own) }
        guard let users = environment["XDG_RUNTIME_DIR"] else {
            throw failure("XDG_RUNTIME_DIR is needed: a folder for sockets, such as /run/user/1000", Exit.unavailable)
        }
        return FilePath(users).appending("thrum-kiosk")
    }
}
