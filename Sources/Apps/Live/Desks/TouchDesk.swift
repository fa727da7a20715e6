import CLinux
import Evdev
import Fields
import Signals
import Wire

/// Handles touches on the house's own touchscreens and on pages, decides whose fingers count, and notifies pages of them. Only the stage
/// has this class, so its state belongs to the event loop.
final class TouchDesk {
    private var intake = TouchIntake()
    private var ownership = TouchOwnership()
    private var stream = TouchStream()

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) {
        stream.forget(client)
        ownership.disconnected(client)
        intake.forget(.connection(client))
    }

    /// Records whose touches a client wants to use, the engine's or its own, according to its introduction. `wish` is nil where the client
    /// has said nothing about that.
    func introduced(_ client: Int, _ wish: TouchOwnership.Wish?, on stage: isolated Stage) {
        let presence = stage.clients.presence
        ownership.introduced(client, wish, as: presence.role(of: client), isLocal: presence.isLocal(client))
        settleOwner(on: stage)
    }

    /// Whether a client is a page that draws the touches of the engine's touchscreens.
    func drawsFromScreens(_ client: Int) -> Bool { ownership.drawsFromScreens(client) }

    func report(for client: Int) -> TouchOwnerReport? { ownership.report(for: client) }

    /// Returns why an event of `client` about touches is refused: the engine reads the touchscreen itself at present. Nil when the event
    /// counts.
    func refusal(of kind: EventKind, from client: Int) -> Fault? { ownership.refusal(of: kind, from: client) }

    /// Handles touches on one of our own touchscreens. They count at the kernel's time, however late the report is. A touch for which the
    /// synthesizer has no room is dropped, and counted with all refused events (`Overload`, `status.synth.overload`). Before that,
    /// `TouchIntake` leaves out moves that follow another move too soon, uncounted; `TouchScreen.drops` counts what the kernel dropped.
    func take(_ report: TouchReport, on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        let now = monotonicNanoseconds()
        let stamp = stage.timing.accepted(report.moment, at: now)
        // A client that reports gestures recognizes them in its own touches. While the engine owns touches, it gets none of these.
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
                // There is no room for releasing the screen's fingers now; they are released later.
                if kind.releases { _ = stage.clients.presence.departs(.screen(report.screen), hasRoom: false) }
            }
        }
        // Sound goes first: pages are notified after everything else.
        if let report = stream.take(report) { stream.tell(report, to: &stage.outputs.subscribers) }
    }

    /// Sends pages the messages that have waited for a slow reader, and the moves that no later touch has followed.
    func tellWaiting(on stage: isolated Stage) {
        for report in stream.takeWaiting() { stream.tell(report, to: &stage.outputs.subscribers) }
        stream.tell(nil, to: &stage.outputs.subscribers)
    }

    /// Takes over the list of present touchscreens after one was plugged in or out.
    func follow(_ screens: [Devices.Report.Screen], on stage: isolated Stage) {
        ownership.follow(screens)
        settleOwner(on: stage)
    }

    /// Carries out what follows from who owns touches now: grabs the touchscreens or releases them, notifies pages, and writes the owner
    /// into the journal.
    func settleOwner(on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        stage.outputs.grabScreens(ownership.wantsScreens)
        if let change = ownership.takeChange() {
            // A page that uses its own fingers gets its own report.
            for client in stage.outputs.subscribers.clients(of: .touchOwner) {
                stage.outputs.subscribers.tell(client, .touchOwner, ownership.report(for: client) ?? change)
            }
        }
        let owner = EventKind.touchOwner(ownership.owner)
        guard ownership.owner != stage.conductor.touchOwner, stage.hasRoom(for: owner) else { return }
        _ = try? stage.report(owner, at: nil, from: .engine, ticket: nil)
        stage.logger.info("touches are \(ownership.owner.words)")
    }

    /// Answers a page that claims a finger on our touchscreen for its own use, for instance on a button or a list: no gesture is recognized
    /// in that finger.
    func claim(_ finger: Int, of screen: Client, _ caller: Caller) {
        if let refusal = ownership.refusalOfClaim(from: caller.client) {
            return caller.refuse(ErrorReply(.refused(.notOwner), fault: refusal))
        }
        intake.claim(finger, of: screen)
        caller.answer(Receipt(frame: nil))
    }

    /// Ends, for the piece, the touch of the finger `finger`, which is still down. The piece gets nothing more of that finger.
    func letGo(_ finger: Int, of client: Client, on stage: isolated Stage) {
        for kind in intake.kinds(Touch(.ended, finger: finger), of: client, at: monotonicNanoseconds()) {
            _ = try? stage.report(kind, at: nil, from: client, ticket: nil)
        }
    }

    /// Returns the events of a client's report: the reported one, and the swipes and taps that we recognize in it.
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
