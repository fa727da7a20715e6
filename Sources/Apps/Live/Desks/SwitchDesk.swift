import CLinux
import Evdev
import Gestures
import Signals
import Wire

/// Handles the switches that the engine reads (keys, buttons, jacks, contact mats), and what front ends say of other sensors. Only the
/// stage has this class, so its state belongs to the event loop.
///
/// A switch is a client of its own with the number of its device, as a touchscreen is, so journals say whose sounds are heard.
final class SwitchDesk {
    private struct Name: Hashable {
        var device: Int
        var rule: String
    }

    private var presses: [Name: SwitchPress] = [:]
    private var sensors = Sensors()

    /// Whether a sensor says that somebody is there.
    var isSomebodyThere: Bool { sensors.isSomebodyThere }

    /// Handles a switch that was turned on or off.
    func take(_ report: SwitchReport, on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        switch report.use {
        case .presence: note(.device(rule: report.name), report.isOn, until: nil, on: stage)
        case .explore: explore(report, on: stage)
        case .step: step(report, on: stage)
        }
    }

    /// Takes a front end's word on whether a sensor notices somebody. It counts for `seconds`.
    func sees(_ isThere: Bool, _ name: String, seconds: Double, _ caller: Caller, on stage: isolated Stage) {
        let presence = stage.clients.presence
        guard presence.isLocal(caller.client) || presence.role(of: caller.client) == .operator else {
            return caller.refuse(ErrorReply(.refused(.notAllowed), "only front ends on this machine and operators say who is there"))
        }
        if let refusal = stage.desks.rates.refusal(ofDeedBy: caller.client, on: stage) { return caller.refuse(refusal) }
        let end = monotonicNanoseconds() + Int64(seconds * 1e9)
        guard note(.reported(name: name), isThere, until: end, on: stage) else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(Sensors.most) sensors say already that somebody is there"))
        }
        caller.answer(Receipt(frame: nil))
    }

    /// Handles what the passing of time brings: presses that become long ones, and sensors' words that count no longer.
    func tend(on stage: isolated Stage) {
        let now = monotonicNanoseconds()
        sensors.advance(to: now)
        for name in presses.keys where presses[name]?.isLong(at: now) == true {
            stage.desks.explore.press(.long, of: .screen(name.device), at: nil, on: stage)
        }
    }

    @discardableResult
    private func note(_ sensor: Sensors.Sensor, _ isThere: Bool, until end: Int64?, on stage: isolated Stage) -> Bool {
        var hasRoom = true
        if isThere { hasRoom = sensors.sees(sensor, until: end) } else { sensors.seesNobody(sensor) }
        stage.tellState()
        return hasRoom
    }

    /// A jack says by its plug whether pages are explored. A key that is pressed switches that over.
    private func explore(_ report: SwitchReport, on stage: isolated Stage) {
        let stamp = stage.timing.accepted(report.moment, at: monotonicNanoseconds())
        if report.isJack {
            stage.desks.explore.turn(report.isOn, bySwitch: .screen(report.device), at: stamp, on: stage)
        } else if report.isOn {
            stage.desks.explore.turn(nil, bySwitch: .screen(report.device), at: stamp, on: stage)
        }
    }

    private func step(_ report: SwitchReport, on stage: isolated Stage) {
        let name = Name(device: report.device, rule: report.name)
        let client = Client.screen(report.device)
        let stamp = stage.timing.accepted(report.moment, at: monotonicNanoseconds())
        if report.isLast {
            presses[name] = nil
        } else if !report.isOn {
            var press = presses.removeValue(forKey: name)
            if let length = press?.letGo(at: report.moment) {
                stage.desks.explore.press(length, of: client, at: stamp, on: stage)
            }
        } else if stage.desks.explore.isOn {
            presses[name, default: SwitchPress(hold: report.hold)].press(at: report.moment)
        } else {
            // This press does nothing else.
            stage.desks.explore.turn(true, bySwitch: client, at: stamp, on: stage)
        }
    }
}
