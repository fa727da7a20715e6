import FoundationEssentials
import Glibc
import Kiosk
import Processes
import SystemPackage

/// The compositor sway, with a folder of its own.
struct Compositor {
    let folder: FilePath
    let configuration: String
    private var process: ChildProcess?

    init(in folder: FilePath, configuration: String) {
        self.folder = folder
        self.configuration = configuration
    }

    /// The socket at which sway takes commands.
    private var socket: FilePath { folder.appending("sway.sock") }

    var state: Sight.Compositor {
        guard let process, process.isRunning else { return .gone }
        return display != nil && access(socket.string, F_OK) == 0 ? .ready : .starting
    }

    /// The name of sway's Wayland socket; nil until it is there.
    var display: String? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
    }

    /// The environment of programs that draw on the compositor.
    var environment: [String: String] {
        let own = ["XDG_RUNTIME_DIR": folder.string, "HOME": folder.string, "XDG_CACHE_HOME": folder.string, "SWAYSOCK": socket.string]
        return ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(display.map { ["WAYLAND_DISPLAY": $0] } ?? [:]) { $1 }
    }

    /// Starts sway. Throws `Errno`, or what Foundation throws for a file that cannot be written.
    mutating func start() throws {
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        for name in left where name.hasPrefix("wayland-") || name == "sway.sock" {
            try FileManager.default.removeItem(atPath: folder.appending(name).string)
        }
        let file = folder.appending("sway.conf").string
        try Data(configuration.utf8).write(to: URL(filePath: file))
        process = try ChildProcess("sway", ["--config", file], environment: environment)
    }

    mutating func stop() { process = nil }

    /// Switches the screens on or off. Returns whether sway has done so.
    func switchScreens(on: Bool) -> Bool {
        let child = try? FinishedProcess(running: "swaymsg", ["--socket", socket.string, "--quiet", "output * dpms \(on ? "on" : "off")"],
                                         environment: ProcessInfo.processInfo.environment)
        return child?.status == 0
    }
}
