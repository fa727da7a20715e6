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
    /// The jacks in which something was put, of those that switch exploring.
    private var plugged: Set<Name> = []
    private var sensors = Sensors()

    /// Whether a sensor says that somebody is there.
    var isSomebodyThere: Bool { sensors.isSomebodyThere }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { sensors.forget(client) }

    /// Handles a switch that was turned on or off.
    func take(_ report: SwitchReport, on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        switch report.use {
        case .presence: note(.device(report.device, rule: report.name), report.isOn, until: nil, on: stage)
        case .explore: explore(report, on: stage)
        case .step: step(report, on: stage)
        }
    }

    /// Takes a front end's word on whether a sensor notices somebody. It counts for `seconds`, and that of a visitor's connection no longer
    /// than that.
    func sees(_ isThere: Bool, _ name: String, seconds: Double, _ caller: Caller, on stage: isolated Stage) {
        let presence = stage.clients.presence
        let isOperator = presence.role(of: caller.client) == .operator
        guard presence.isLocal(caller.client) || isOperator else {
            return caller.refuse(ErrorReply(.refused(.notAllowed), "only front ends on this machine and operators say who is there"))
        }
        if let refusal = stage.desks.rates.refusal(ofDeedBy: caller.client, on: stage) { return caller.refuse(refusal) }
        let end = monotonicNanoseconds() + Int64(seconds * 1e9)
        guard note(.reported(name: name, by: isOperator ? nil : caller.client), isThere, until: end, on: stage) else {
            return caller.refuse(ErrorReply(.refused(.noRoom), "\(Sensors.most) sensors of this front end say so already"))
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

    /// Jacks say by their plugs whether pages are explored: as long as something is in one of them. A key that is pressed switches
    /// that over.
    private func explore(_ report: SwitchReport, on stage: isolated Stage) {
        let stamp = stage.timing.accepted(report.moment, at: monotonicNanoseconds())
        if report.isJack {
            let name = Name(device: report.device, rule: report.name)
            if report.isOn { plugged.insert(name) } else { plugged.remove(name) }
            guard report.isOn || plugged.isEmpty else { return }
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
            if let length = presses[name, default: SwitchPress(hold: report.hold)].letGo(at: report.moment) {
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
