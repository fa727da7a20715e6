import Foundation

/// A sound server of a test's own whose sink `stage` can be recorded.
public protocol SoundServer {
    /// For its clients.
    var environment: [String: String] { get }
}

extension SoundServer {
    /// Starts recording what `sink` plays, as raw little-endian floats, into `file`.
    public func record(to file: String, sink: String = "stage", latencyMilliseconds: Int = 10, channels: Int = 1) throws
        -> Running {
        try Running("parec", ["--device=\(sink).monitor", "--format=float32le", "--rate=48000", "--channels=\(channels)",
                              "--latency-msec=\(latencyMilliseconds)", file], environment: environment)
    }
}

/// A real PipeWire with a session manager and its PulseAudio server, and nothing of the machine's own.
public final class PrivatePipeWire: SoundServer {
    public let environment: [String: String]
    private let programs: [Running]

    public init(in directory: String) async throws {
        environment = [
            "XDG_RUNTIME_DIR": directory, "PIPEWIRE_RUNTIME_DIR": directory, "PULSE_RUNTIME_PATH": directory + "/pulse",
            "XDG_CONFIG_HOME": directory + "/config", "XDG_STATE_HOME": directory + "/state", "HOME": directory,
            "PULSE_SERVER": "unix:\(directory)/pulse/native", "PULSE_COOKIE": directory + "/cookie",
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DISABLE_RTKIT": "1",
        ]
        try Self.configure(directory)
        var programs: [Running] = []
        for (program, socket) in [("pipewire", "/pipewire-0"), ("wireplumber", nil), ("pipewire-pulse", "/pulse/native")] {
            let running = try Running(program, [], environment: environment)
            programs.append(running)
            guard let socket else { continue }
            guard try await eventually({ FileManager.default.fileExists(atPath: directory + socket) }) else {
                throw LineSocket.Failed(description: "\(program) does not start: \(running.errors)")
            }
        }
        self.programs = programs
        guard try await eventually({ try self.control("info") == 0 }),
              try control("load-module", "module-null-sink", "sink_name=stage", "rate=48000", "channels=1",
                          "channel_map=mono") == 0,
              try await eventually({ try self.control("set-default-sink", "stage") == 0 && self.hasMonitor })
        else { throw LineSocket.Failed(description: "PipeWire's Pulse server has no sink") }
    }

    /// The null sink is all there is to be: no hardware, and the quantum a machine of its own would have.
    private static func configure(_ directory: String) throws {
        let files = [
            "wireplumber/main.lua.d/51-no-hardware.lua": """
                alsa_monitor.enabled = false
                v4l2_monitor.enabled = false
                libcamera_monitor.enabled = false
                default_access.properties["enable-flatpak-portal"] = false
                """,
            "wireplumber/bluetooth.lua.d/51-no-hardware.lua": "bluez_monitor.enabled = false\n",
            // In a virtual machine PipeWire takes blocks of 1,024 frames unless told otherwise.
            "pipewire/pipewire.conf.d/10-stage.conf": """
                context.properties = { default.clock.rate = 48000 default.clock.min-quantum = 32
                  vm.overrides = { default.clock.min-quantum = 32 } }
                """,
            "pipewire/pipewire-pulse.conf.d/10-stage.conf":
                "pulse.properties = { vm.overrides = { pulse.min.quantum = 256/48000 } }\n",
        ]
        for (name, text) in files {
            let path = directory + "/config/" + name
            try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent,
                                                    withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.createDirectory(atPath: directory + "/pulse", withIntermediateDirectories: true)
    }

    private func control(_ words: String...) throws -> Int32 { try run("pactl", words, environment: environment).status }

    private var hasMonitor: Bool {
        get throws { try run("pactl", ["list", "short", "sources"], environment: environment).text.contains("stage.monitor") }
    }

    public func kill() {
        for program in programs.reversed() {
            program.signal(SIGKILL)
            _ = program.finish()
        }
    }
}
