import Calendar
import Fields

extension Cat {
    /// Why an action cannot be taken; nil when it can.
    func refusal(of move: KittyMove, at now: Moment) -> Fault? {
        switch move {
        case .bypass(let name):
            guard let app = plan.index(of: name) else { return unknown(name) }
            switch shield(of: app, at: now) {
            case .shielded, .free: return nil
            case .open: return Fault(field: "app", expected: "an app that is shielded", found: "\(name), which is open")
            case .locked: return Fault(field: "app", expected: "an app that is shielded", found: "\(name), which is locked until midnight")
            }
        case .shield(let name?):
            guard let app = plan.index(of: name) else { return unknown(name) }
            return isOpen(app) ? nil : Fault(field: "app", expected: "an app that is open", found: name)
        case .shield(nil): return openings.isEmpty ? Fault(field: "app", expected: "an app that is open", found: "none") : nil
        case .cooldown(let minutes):
            guard !allowedCooldowns.contains(minutes) else { return nil }
            let allowed = allowedCooldowns.map(String.init).joined(separator: ", ")
            return Fault(field: "minutes", expected: "one of " + allowed, found: "\(minutes)")
        case .apps, .goal, .window, .onboard, .enter: return nil
        }
    }

    private func unknown(_ app: String) -> Fault {
        Fault(field: "app", expected: "one of " + plan.apps.joined(separator: ", "), found: "\"\(app)\"")
    }
}
