import CLinux
import Gestures
import Signals
import Wire

/// Lets visitors who cannot see explore pages by touch: switches exploring on and off, plays a sound and a pattern for what a finger finds,
/// and notifies the page. Sounds and patterns are events of the screen or the page, and so are in journals. Only the stage has this class,
/// so its state belongs to the event loop.
final class ExploreDesk {
    private var pages = ExploredPages()
    /// The number of the visit in which exploring was switched on.
    private var visit = 0

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { pages.forget(client) }

    /// Forgets a touchscreen that was unplugged.
    func forget(screen: Int) { pages.forget(screen: screen) }

    /// Takes over all regions of a page, and answers whether exploring is on.
    func use(_ regions: Regions, _ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: caller.client, on: stage) { return caller.refuse(refusal) }
        pages.use(regions, of: caller.client)
        caller.answer(ExploreMode(on: pages.isOn))
    }

    /// Switches exploring on or off, as a client has asked.
    func turn(_ on: Bool, _ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: caller.client, on: stage) ?? stage.desks.rates.refusal(ofDeedBy: caller.client, on: stage) {
            return caller.refuse(refusal)
        }
        guard turn(on, by: .connection(caller.client), at: nil, on: stage) else {
            return caller.refuse(ErrorReply(.refused(.notNow), "nobody can be told by sound now"))
        }
        caller.answer(Receipt(frame: nil))
    }

    /// Whether pages are explored by touch.
    var isOn: Bool { pages.isOn }

    /// Switches exploring on or off, as a switch device asks for; nil turns it over. `stamp` is the time of the press; nil stands for now.
    func turn(_ on: Bool?, bySwitch client: Client, at stamp: Int64?, on stage: isolated Stage) {
        guard on != pages.isOn, turn(on ?? !pages.isOn, by: client, at: stamp, on: stage) else { return }
        noteSign(of: client, stage)
    }

    /// Handles a press of a switch device: a short one announces the next region of the page, a long one activates it. `stamp` is the time
    /// of the press; nil stands for now. Does nothing while exploring is off.
    func press(_ length: SwitchPress.Length, of client: Client, at stamp: Int64?, on stage: isolated Stage) {
        guard pages.isOn else { return }
        let touches = stage.desks.touches
        let presence = stage.clients.presence
        let outcome = pages.press(length, isLocal: presence.isLocal) { touches.drawsFromScreens($0) }
        if let outcome { carryOut(outcome, on: client, at: stamp, stage) }
        noteSign(of: client, stage)
    }

    /// Counts what somebody does who explores as a sign that a visitor is there, although the piece does not get it.
    private func noteSign(of client: Client, as kind: EventKind = .start, _ stage: isolated Stage) {
        let now = monotonicNanoseconds()
        stage.conductor.noteSign(at: stage.due(now).frame)
        stage.desks.rates.noteAct(client, kind, entering: nil, at: now, on: stage)
    }

    /// Handles a touch at `moment` (CLOCK_MONOTONIC, nanoseconds). `stamp` is the time of the touch for the sound that answers it; nil
    /// stands for now. Returns whether the piece gets the touch, too.
    func take(_ touch: Touch, of client: Client, at moment: Int64, stamp: Int64?, on stage: isolated Stage) -> Bool {
        let (isForPiece, outcome) = pages.take(touch, of: client, on: page(on: client, stage), at: moment)
        if let outcome { carryOut(outcome, on: client, at: stamp, stage) }
        if !isForPiece { noteSign(of: client, as: .touch(touch), stage) }
        return isForPiece
    }

    /// Returns whether the piece gets the event `kind` of a client. While exploring is on, it gets no taps and swipes of pages with
    /// regions. Touches are handled as by the other `take`.
    func take(_ kind: EventKind, of client: Int, at moment: Int64, stamp: Int64?, on stage: isolated Stage) -> Bool {
        switch kind {
        case .touch(let touch): take(touch, of: .connection(client), at: moment, stamp: stamp, on: stage)
        case .tap, .swipe: !(pages.isOn && pages.hasRegions(client))
        default: true
        }
    }

    /// Handles what the passing of time brings: fingers that are held or that rest. It is called ten times a second during a visit.
    func tend(on stage: isolated Stage) {
        guard !stage.isClosing else { return }
        let now = monotonicNanoseconds()
        let touches = stage.desks.touches
        for (client, outcome) in pages.advance(to: now, drawingFromScreens: { touches.drawsFromScreens($0) }) {
            carryOut(outcome, on: client, at: nil, stage)
        }
    }

    /// Switches exploring off when the visit in which it was switched on has ended.
    func followVisit(on stage: isolated Stage) {
        guard pages.isOn, stage.conductor.visit == nil || stage.conductor.visits != visit else { return }
        pages.turn(false)
        tellMode(on: stage)
    }

    private func page(on client: Client, _ stage: isolated Stage) -> Int? {
        let touches = stage.desks.touches
        return pages.page(on: client) { touches.drawsFromScreens($0) }
    }

    /// Returns why a client may neither report regions nor switch exploring; nil where it may. Clients on other machines may not, because
    /// the house's touchscreens do not concern them.
    private func refusal(of client: Int, on stage: isolated Stage) -> ErrorReply? {
        let presence = stage.clients.presence
        guard !presence.isLocal(client), presence.role(of: client) != .operator else { return nil }
        return ErrorReply(.refused(.notAllowed), "only pages on this machine are explored by touch")
    }

    private func carryOut(_ outcome: ExploredPages.Outcome, on client: Client, at stamp: Int64?, _ stage: isolated Stage) {
        switch outcome {
        case .toggled: _ = turn(!pages.isOn, by: client, at: stamp, on: stage)
        case .found(.entered(let region), let page):
            // The pattern comes first, because it is felt at once.
            play(.haptic(name: "explore-edge"), from: client, at: stamp, stage)
            play(.chime(name: region.role.earcon), from: client, at: stamp, stage)
            tell(region, of: page, stage)
        case .found(.blank, let page):
            play(.chime(name: "explore-blank"), from: client, at: stamp, stage)
            tell(nil, of: page, stage)
        case .found(.activated(let region), let page):
            stage.outputs.subscribers.tell(page, .exploreActivate, ExploreActivation(id: region.id))
        }
    }

    /// Notifies `page`, and clients that may see what others do, of the region that a finger has found; nil stands for none. Only the page
    /// gets the label, because it may be about a household, even about its money, and the engine cannot know that.
    private func tell(_ region: Region?, of page: Int, _ stage: isolated Stage) {
        let presence = stage.clients.presence
        for client in stage.outputs.subscribers.clients(of: .exploreAt)
        where client == page || presence.role(of: client).admits(.inspect) {
            var finding = ExploreFinding(region)
            if client != page { finding.label = nil }
            stage.outputs.subscribers.tell(client, .exploreAt, finding)
        }
    }

    /// Switches exploring on or off, with its sound. Returns false where that is impossible, because there is no visit and none can begin.
    private func turn(_ on: Bool, by client: Client, at stamp: Int64?, on stage: isolated Stage) -> Bool {
        guard on != pages.isOn else { return true }
        guard stage.outputs.port.isOpen, !stage.isClosing else { return false }
        if on { for (client, finger) in pages.fingersOfPiece { stage.desks.touches.letGo(finger, of: client, on: stage) } }
        play(.chime(name: on ? "explore-on" : "explore-off"), from: client, at: stamp, stage)
        // The theme may lack the chime, and then no visit has begun yet.
        if stage.conductor.visit == nil { play(.start, from: client, at: stamp, stage) }
        guard stage.conductor.visit != nil else { return false }
        pages.turn(on)
        visit = stage.conductor.visits
        tellMode(on: stage)
        stage.logger.info("pages are explored by touch", metadata: ["on": "\(on)", "by": "\(client)"])
        return true
    }

    /// Notifies the pages that have reported regions whether exploring is on. Other pages cannot be explored.
    private func tellMode(on stage: isolated Stage) {
        for client in stage.outputs.subscribers.clients(of: .exploreMode) where pages.hasRegions(client) {
            stage.outputs.subscribers.tell(client, .exploreMode, ExploreMode(on: pages.isOn))
        }
    }

    /// Plays a sound or a pattern, as an event of `client`. Does nothing where the queue has no room, where the theme lacks that sound or
    /// pattern, or where a visitor's page exceeds the limits for people.
    private func play(_ kind: EventKind, from client: Client, at stamp: Int64?, _ stage: isolated Stage) {
        guard stage.hasRoom(for: kind) else { return }
        if case .connection(let number) = client, stage.desks.rates.refusal(of: kind, from: number, on: stage) != nil { return }
        _ = try? stage.report(kind, at: stamp, from: client, ticket: nil)
    }
}
