import CLinux
import Evdev
import Fields
import Signals
import Wire

/// Takes fingers, on the house's own touchscreens and on pages, decides whose count, and tells pages of them. Only the stage has this
/// class: its state is the event loop's.
final class TouchDesk {
    private var intake = TouchIntake()
    private var ownership = TouchOwnership()
    private var stream = TouchStream()

    /// Forgets a client that is gone.
    func forget(_ client: Int) {
        stream.forget(client)
        ownership.disconnected(client)
        intake.forget(.connection(client))
    }

    /// Notes whose touches a client goes by, as it has said.
    func introduced(_ client: Int, _ wish: TouchOwnership.Wish?, on stage: isolated Stage) {
        let presence = stage.clients.presence
        ownership.introduced(client, wish, as: presence.role(of: client), isLocal: presence.isLocal(client))
        settleOwner(on: stage)
    }

    /// Returns whether a client is a page that draws from the engine's touches.
    func drawsFromScreens(_ client: Int) -> Bool { ownership.drawsFromScreens(client) }

    func report(for client: Int) -> TouchOwnerReport? { ownership.report(for: client) }

    /// Returns why an event of `client` does not count, because touches are somebody else's; nil when it does.
    func refusal(of kind: EventKind, from client: Int) -> Fault? { ownership.refusal(of: kind, from: client) }

    /// Takes the fingers on one of our own touchscreens. The kernel's time counts, however late the report is. A touch for which the
    /// synthesizer has no room is dropped, and counted with all refused events (`Overload`, `status.synth.overload`). Before that,
    /// `TouchIntake` leaves out moves that come soon after another, uncounted, and `TouchScreen.drops` counts what the kernel dropped.
    func take(_ report: TouchReport, on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        let now = monotonicNanoseconds()
        let stamp = stage.timing.accepted(report.moment, at: now)
        // A client's own gestures are of fingers that it sees: while we own touches, it sees none of these.
        let withGestures = stage.settings.values.recognizesGestures && (ownership.owner == .engine || !stage.clients.presence.hasGestures)
        var counting = report
        stage.outputs.stamp = report.moment
        counting.touches.removeAll {
            !stage.desks.explore.take($0, of: .screen(report.screen), at: report.moment, stamp: stamp, on: stage)
        }
        stage.outputs.stamp = nil
        if report.isLast { stage.desks.explore.forget(screen: report.screen) }
        for kind in intake.kinds(counting, withGestures: withGestures) {
            if stage.hasRoom(for: kind) {
                stage.outputs.stamp = report.moment
                _ = try? stage.report(kind, at: stamp, from: .screen(report.screen), ticket: nil, now: now)
                stage.outputs.stamp = nil
            } else {
                stage.clients.overload.refuse(at: now)
                // The screen's fingers are released when there is room.
                if kind.releases { _ = stage.clients.presence.departs(.screen(report.screen), hasRoom: false) }
            }
        }
        // Sound leads: pages are told when everything else is on its way.
        if let told = stream.take(report) { stream.tell(told, to: &stage.outputs.subscribers) }
    }

    /// Tells what waits for a reader, and moves that nothing has followed.
    func tellWaiting(on stage: isolated Stage) {
        for report in stream.takeWaiting() { stream.tell(report, to: &stage.outputs.subscribers) }
        stream.tell(nil, to: &stage.outputs.subscribers)
    }

    /// Goes by the touchscreens that are there, when some have come or gone.
    func follow(_ screens: [Devices.Report.Screen], on stage: isolated Stage) {
        ownership.follow(screens)
        settleOwner(on: stage)
    }

    /// Carries out, tells and journals whose touches count.
    func settleOwner(on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        stage.outputs.grabScreens(ownership.wantsScreens)
        if let change = ownership.takeChange() {
            // A page with fingers of its own keeps them.
            for client in stage.outputs.subscribers.clients(of: .touchOwner) {
                stage.outputs.subscribers.tell(client, .touchOwner, ownership.report(for: client) ?? change)
            }
        }
        let owner = EventKind.touchOwner(ownership.owner)
        guard ownership.owner != stage.conductor.touchOwner, stage.hasRoom(for: owner) else { return }
        _ = try? stage.report(owner, at: nil, from: .engine, ticket: nil)
        stage.logger.info("touches are \(ownership.owner.words)")
    }

    /// Gives a page a finger on our touchscreen for itself, for a button or a list: no gesture comes of it.
    func claim(_ finger: Int, of screen: Client, _ caller: Caller) {
        if let refusal = ownership.refusalOfClaim(from: caller.client) {
            return caller.refuse(ErrorReply(.refused(.notOwner), fault: refusal))
        }
        intake.claim(finger, of: screen)
        caller.answer(Receipt(frame: nil))
    }

    /// Has the piece lose a finger that is down: nothing comes of it any more.
    func letGo(_ finger: Int, of client: Client, on stage: isolated Stage) {
        for kind in intake.kinds(Touch(.ended, finger: finger), of: client, at: monotonicNanoseconds()) {
            _ = try? stage.report(kind, at: nil, from: client, ticket: nil)
        }
    }

    /// Returns what a client reports, with the swipes and taps that we see in it.
    func kinds(_ kind: EventKind, from client: Int, at moment: Int64) -> [EventKind] {
        guard case .touch(let touch) = kind, ownership.seesGestures(of: client) else { return [kind] }
        return intake.kinds(touch, of: .connection(client), at: moment)
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
