import CLinux
import Evdev
import Fields
import Signals
import Wire

// Fingers: on our own touchscreens, and on pages.
extension Stage {
    /// Fingers on one of our own touchscreens. The kernel's time counts, however late the report is.
    func touched(_ report: TouchReport) {
        guard !isClosing else { return }
        let now = monotonicNanoseconds()
        let stamp = timing.accepted(report.moment, at: now)
        // A client's own gestures are of fingers that it sees: while we own touches, it sees none of these.
        let withGestures = settings.values.recognizesGestures && (clients.ownership.owner == .engine || !clients.presence.hasGestures)
        for kind in clients.intake.kinds(report, withGestures: withGestures) {
            if hasRoom(for: kind) {
                outputs.stamp = report.moment
                _ = try? self.report(kind, at: stamp, from: .screen(report.screen), ticket: nil, now: now)
                outputs.stamp = nil
            } else {
                overload.refuse(at: now)
                // Its fingers are released when there is room.
                if kind.releases { _ = clients.presence.departs(.screen(report.screen), hasRoom: false) }
            }
        }
        // Sound leads: pages are told when everything else is on its way.
        if let told = clients.stream.take(report) { clients.stream.tell(told, to: &outputs.subscribers) }
    }

    /// What waits for a reader, and moves that nothing has followed.
    func tellWaitingTouches() {
        for report in clients.stream.takeWaiting() { clients.stream.tell(report, to: &outputs.subscribers) }
        clients.stream.tell(nil, to: &outputs.subscribers)
    }

    /// Touchscreens have come or gone.
    func follow(_ screens: [Devices.Report.Screen]) {
        clients.ownership.follow(screens)
        settleTouchOwner()
    }

    /// Carries out, tells and journals whose touches count.
    func settleTouchOwner() {
        guard !isClosing else { return }
        outputs.grabScreens(clients.ownership.wantsScreens)
        if let change = clients.ownership.takeChange() {
            // A page with fingers of its own keeps them.
            for client in outputs.subscribers.clients(of: .touchOwner) {
                outputs.subscribers.tell(client, .touchOwner, clients.ownership.report(for: client) ?? change)
            }
        }
        let owner = EventKind.touchOwner(clients.ownership.owner)
        guard clients.ownership.owner != conductor.touchOwner, hasRoom(for: owner) else { return }
        _ = try? report(owner, at: nil, from: .engine, ticket: nil)
        logger.info("touches are \(clients.ownership.owner.words)")
    }

    /// A page has a finger on our touchscreen for itself, for a button or a list: no gesture comes of it.
    func claim(_ finger: Int, of screen: Client, _ caller: Caller) {
        if let refusal = clients.ownership.refusalOfClaim(from: caller.client) {
            return caller.refuse(ErrorReply(.refused(.notOwner), fault: refusal))
        }
        clients.intake.claim(finger, of: screen)
        caller.answer(Receipt(frame: nil))
    }

    /// What a client reports, with the swipes and taps that we see in it.
    func kinds(_ kind: EventKind, from client: Int, at moment: Int64) -> [EventKind] {
        guard case .touch(let touch) = kind, clients.ownership.seesGestures(of: client) else { return [kind] }
        return clients.intake.kinds(touch, of: .connection(client), at: moment)
    }
}

extension TouchOwner {
    fileprivate var words: String {
        switch self {
        case .engine: "the engine's, from the touchscreen"
        case .page: "what pages report"
        case .anyone: "anyone's"
        }
    }
}
