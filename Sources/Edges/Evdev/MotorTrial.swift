import CLinux
import Glibc
import Haptics
import Signals
import SystemPackage

/// One pattern played on one device, once and by itself.
public enum MotorTrial {
    public struct Failed: Error, CustomStringConvertible {
        public var description: String
    }

    /// Returns when it has been felt. Throws `Failed` with why it was not, and `Errno` if the device cannot be opened.
    public static func play(_ pattern: HapticPattern, on node: String) throws {
        let device = try DeviceNode(node)
        guard let abilities = device.motor else { throw Failed(description: "it has no force feedback") }
        guard device.isWritable else { throw Failed(description: "it may not be written to") }
        let name = "trial"
        let motor = MotorDevice(device, name: name, rule: nil, abilities: abilities, parts: [MotorPart(name, .pattern(pattern))]) {}
        motor.prepare(within: 2_000_000_000)
        motor.play(name, at: monotonicNanoseconds())
        motor.drain()
        let report = motor.report
        motor.stop()
        if report.missed > 0 { throw Failed(description: report.issue ?? "it was too busy") }
    }
}
