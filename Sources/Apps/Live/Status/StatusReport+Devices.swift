import Evdev
import Haptics
import Wire

extension StatusReport.Devices {
    init(_ report: Devices.Report, patterns: UInt64, transducers: [Int]) {
        self.init()
        touchscreens = report.screens.map { StatusReport.Touchscreen(name: $0.name, node: $0.node, drops: $0.drops) }
        motors = report.motors.map { motor in
            StatusReport.Motor(name: motor.name, node: motor.node, drive: .init(motor.abilities.drive), slots: motor.abilities.slots,
                               held: motor.held, plays: motor.plays, missed: motor.missed, uploads: motor.uploads,
                               touchToEffectMilliseconds: motor.delay.map { Double($0) / 1e6 }, issue: motor.issue)
        }
        unused = report.unused.map {
            StatusReport.UnusedDevice(name: $0.name, node: $0.node, reason: $0.reason.words, rule: $0.reason.rule)
        }
        (refused, missing) = (report.refused.count, report.missing.map(\.rule))
        (self.patterns, self.transducers) = (patterns, transducers)
    }
}

extension Devices.Report {
    /// What is not as it should be, in words.
    var issues: [String] {
        missing.map { missing in
            missing.device.map { "the device \($0) is gone, which was used by the rule \(missing.rule)" }
                ?? "there is no device for the rule \(missing.rule)"
        }
            + motors.compactMap { motor in motor.issue.map { "force feedback \(motor.name): \($0)" } }
    }
}

extension StatusReport.Motor.Drive {
    init(_ drive: MotorAbilities.Drive) {
        switch drive {
        case .sine: self = .sine
        case .rumble: self = .rumble
        case .constant: self = .constant
        }
    }
}
