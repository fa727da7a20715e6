import CUinput
import Foundation
import TestSupport

/// A thrumd in the guest, with what it says about devices.
final class Stage {
    let daemon: Daemon

    /// `settings` is YAML.
    init(_ arguments: [String] = [], settings: String = "") async throws {
        let scratch = try Scratch()
        let file = try scratch.write(settings.isEmpty ? "# none\n" : settings, to: "thrum.yaml")
        // Emulated, one step may come long after another.
        let idle = settings.contains("idle:") ? [] : ["--idle", "3600"]
        daemon = try await Daemon(["--output", "null", "--seed", "1", "--config", file] + idle + arguments, scratch: scratch)
    }

    private func devices() throws -> [String: Any] { try daemon.status()["devices"] as? [String: Any] ?? [:] }

    func touchscreens() throws -> [String] {
        (try devices()["touchscreens"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    func drops() throws -> Int {
        (try devices()["touchscreens"] as? [[String: Any]] ?? []).compactMap { $0["drops"] as? Int }.reduce(0, +)
    }

    func motors() throws -> [[String: Any]] { try devices()["motors"] as? [[String: Any]] ?? [] }

    func lateEvents() throws -> Int { (try daemon.status()["output"] as? [String: Any])?["lateEvents"] as? Int ?? -1 }

    /// Waits until so many screens and motors are there, and every motor holds all it has room for, of the theme's nine effects.
    func isReady(screens: Int = 0, motors count: Int = 0, effects: Int = 9) async throws -> Bool {
        let isReady = try await eventually {
            let motors = try self.motors()
            return try self.touchscreens().count == screens && motors.count == count
                && motors.allSatisfy { ($0["held"] as? Int ?? 0) >= min(effects, $0["slots"] as? Int ?? 0) }
        }
        if !isReady { print(daemon.process.errors, try motors(), try thrum("devices", "--all").text) }
        return isReady
    }

    func send(_ method: String, _ parameters: String) throws {
        let answer = try LineSocket(daemon.socket).call(method, parameters)
        guard answer.contains("\"result\"") else { throw Refused(description: answer) }
    }

    // MARK: The journal

    struct Line {
        var frame: Int
        var event: String
        var fields: [String: Any]
    }

    /// The lines of the last session's journal so far. Whoever reads while thrumd writes may find a part of the last line.
    func lines() throws -> [[String: Any]] {
        guard let path = daemon.journals.last else { return [] }
        let text = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let end = text.lastIndex(of: 10) else { return [] }
        return try text[..<end].split(separator: 10).compactMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }

    /// The events of the last session so far.
    func journal() throws -> [Line] {
        try lines().compactMap { fields in
            guard let frame = fields["frame"] as? Int, let event = fields["event"] as? String else { return nil }
            return Line(frame: frame, event: event, fields: fields)
        }
    }

    func touches(_ phase: String? = nil) throws -> [Line] {
        try journal().filter { $0.event == "touch" && (phase == nil || $0.fields["phase"] as? String == phase) }
    }

    /// The fingers that are down, by the journal: `screen:slot`.
    func fingers() throws -> Set<String> {
        try touches().reduce(into: []) { down, line in
            let finger = "\(line.fields["client"] ?? ""):\(line.fields["id"] ?? 0)"
            switch line.fields["phase"] as? String {
            case "began": down.insert(finger)
            case "ended": down.remove(finger)
            default: break
            }
        }
    }
}

/// Somebody else who reads a screen: for the kernel's own times, and what it holds.
final class Witness {
    private let descriptor: Int32

    convenience init(_ screen: VirtualScreen) { self.init(node: screen.device.node) }

    init(node: String) {
        descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        _ = evdev_use_monotonic(descriptor)
    }

    deinit { close(descriptor) }

    /// The moments of the packets since last time, in nanoseconds.
    func packets() -> [Int64] {
        var moments: [Int64] = []
        var event = input_event()
        while read(descriptor, &event, MemoryLayout<input_event>.stride) > 0 {
            guard event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) else { continue }
            moments.append(Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1_000)
        }
        return moments
    }

    /// Slots with a finger in them.
    func slots(_ count: Int) -> Set<Int> {
        var values = [Int32](repeating: -1, count: count + 1)
        _ = evdev_slots(descriptor, ABS_MT_TRACKING_ID, &values, Int32(count))
        return Set((0..<count).filter { values[$0 + 1] >= 0 })
    }
}

/// Whether this is a machine with a kernel that lets us make devices: `Tests/VM/Machine/run-in-vm` brings one.
let hasUinput = access("/dev/uinput", R_OK | W_OK) == 0
