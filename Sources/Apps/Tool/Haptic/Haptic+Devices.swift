import Evdev
import Signals

/// Playing a pattern on force-feedback devices.
extension Haptic {
    func play(_ pattern: HapticPattern) throws {
        guard !pattern.events.isEmpty else { return print("  nothing in it is felt: nothing is played") }
        if !pattern.sounds.isEmpty { print("  its sounds are not played here: --wav writes them, and thrumd plays them") }
        let found = DeviceSurvey.findings(DeviceRules())
        let motors = found.filter { if case .used = $0.motor { true } else { false } }.map(\.identity)
        guard let device else {
            if motors.isEmpty { print("  no force-feedback device here: nothing is played") }
            return try motors.forEach { try play(pattern, on: $0) }
        }
        let chosen = motors.filter { DeviceMatch(path: device).fits($0) || DeviceMatch(name: device).fits($0) }
        guard !chosen.isEmpty else {
            let names = motors.map { "\($0.name.debugDescription) (\($0.node))" }.joined(separator: ", ")
            let expected = names.isEmpty ? "a device, but there is none that could be used" : "one of \(names)"
            throw failure("--device: expected \(expected), found \(device.debugDescription)", Exit.unavailable)
        }
        for motor in chosen { try play(pattern, on: motor) }
    }

    private func play(_ pattern: HapticPattern, on motor: DeviceIdentity) throws {
        print("  played on \(motor.name) (\(motor.node))")
        do {
            try MotorTrial.play(pattern, on: motor.node)
        } catch {
            throw failure("\(motor.name) (\(motor.node)): \(error)", Exit.unavailable)
        }
    }
}
