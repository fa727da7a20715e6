import Foundation

/// A real PulseAudio of a test's own, with a null sink whose monitor can be recorded.
public final class PrivatePulse: SoundServer {
    public let environment: [String: String]
    private let directory: String
    private var server: Running

    /// `directory` may be prepared before, so that a client can wait for the server to appear.
    /// Its sink has so many channels.
    public init(in directory: String, channels: Int = 1) async throws {
        self.directory = directory
        environment = Self.environment(directory)
        server = try Running("pulseaudio", [
            "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=stderr",
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(directory)/native",
            "-L", "module-null-sink sink_name=stage rate=48000 channels=\(channels) format=float32le",
        ], environment: environment)
        guard try await eventually({ try run("pactl", ["info"], environment: self.environment).status == 0 }) else {
            throw LineSocket.Failed(description: "PulseAudio does not start: \(server.errors)")
        }
    }

    public static func environment(_ directory: String) -> [String: String] {
        ["PULSE_SERVER": "unix:\(directory)/native", "PULSE_COOKIE": "\(directory)/cookie",
         "PULSE_RUNTIME_PATH": directory, "PULSE_STATE_PATH": directory, "HOME": directory]
    }

    /// Runs `pactl`; returns what it prints.
    @discardableResult
    public func control(_ words: String...) throws -> String {
        let finished = try run("pactl", words, environment: environment)
        guard finished.status == 0 else { throw LineSocket.Failed(description: finished.errors) }
        return finished.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    public func signal(_ number: Int32) { server.signal(number) }

    /// Pulls the plug.
    public func kill() {
        server.signal(SIGKILL)
        _ = server.finish()
        try? FileManager.default.removeItem(atPath: directory + "/native")
    }

    deinit { server.signal(SIGTERM) }
}

/// A file of raw little-endian floats.
public func rawFloats(_ path: String) throws -> [Float] { floats(try Data(contentsOf: URL(fileURLWithPath: path))) }

/// From little-endian bytes.
public func floats(_ data: Data) -> [Float] {
    let bytes = [UInt8](data)
    return stride(from: 0, to: bytes.count - 3, by: 4).map { n in
        Float(bitPattern: UInt32(bytes[n]) | UInt32(bytes[n + 1]) << 8 | UInt32(bytes[n + 2]) << 16 | UInt32(bytes[n + 3]) << 24)
    }
}
