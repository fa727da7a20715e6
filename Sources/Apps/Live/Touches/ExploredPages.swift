import Gestures
import Signals

/// Knows which pages can be explored by touch, whether exploring is on, and which fingers are kept from the piece. A plain value: the
/// caller passes the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct ExploredPages {
    /// What a touch, or the passing of time, leads to on a surface.
    enum Outcome: Equatable {
        /// A finger that explores `page` has found something.
        case found(Exploration.Finding, page: Int)
        /// Two fingers were held down, which switches exploring on or off.
        case toggled
    }

    private struct Page {
        var client: Int
        var regions: [Region]
    }

    /// A touchscreen, or a page that reports its own touches.
    private struct Surface {
        var hold = TwoFingerHold()
        var exploration = Exploration()
        /// The fingers that are kept from the piece until they are up.
        var silent: Set<Int> = []
        /// The page that the surface last showed; nil if it showed none.
        private var page: Int?

        /// Records which page the surface shows now. A region found on another page cannot be activated by a second tap any more.
        mutating func show(_ page: Int?) {
            if page != self.page { exploration.turnPage() }
            self.page = page
        }
    }

    /// The largest number of fingers of a surface that are still kept from the piece if exploring ends while they are down.
    private static let mostSilent = 10

    private(set) var isOn = false
    /// The pages that have reported regions; the one that did so last is at the end.
    private var pages: [Page] = []
    private var surfaces: [Client: Surface] = [:]
    /// What switches have come upon, and on which page; nil before the first press.
    private var stepping = Exploration()
    private var steppedPage: Int?

    /// Records all regions of a page, in place of its earlier ones.
    mutating func use(_ regions: Regions, of client: Int) {
        pages.removeAll { $0.client == client }
        pages.append(Page(client: client, regions: regions.all))
    }

    /// Forgets a client that has disconnected, with its regions and fingers.
    mutating func forget(_ client: Int) {
        pages.removeAll { $0.client == client }
        surfaces[.connection(client)] = nil
    }

    /// Forgets a touchscreen that was unplugged.
    mutating func forget(screen: Int) { surfaces[.screen(screen)] = nil }

    /// Whether a client has reported regions.
    func hasRegions(_ client: Int) -> Bool { pages.contains { $0.client == client } }

    /// Returns the client whose page the surface `surface` shows. A connection shows its own page, if that has reported regions. A
    /// touchscreen shows the page that reported regions last, of those that draw the touchscreens' touches. Nil where there is no such
    /// page.
    func page(on surface: Client, drawingFromScreens draws: (Int) -> Bool) -> Int? {
        switch surface {
        case .engine: nil
        case .connection(let client): hasRegions(client) ? client : nil
        case .screen: pages.last { draws($0.client) }?.client
        }
    }

    /// Handles a touch at `moment` (CLOCK_MONOTONIC, nanoseconds) on a surface that shows `page`. Returns whether the piece gets the touch,
    /// too, and what the touch has led to; nil for nothing.
    mutating func take(_ touch: Touch, of client: Client, on page: Int?, at moment: Int64) -> (isForPiece: Bool, outcome: Outcome?) {
        // The touches of a page that cannot be explored go to the piece.
        if case .connection = client, page == nil { return (true, nil) }
        var surface = surfaces.removeValue(forKey: client) ?? Surface()
        surface.show(page)
        surface.hold.take(touch, at: moment)
        let wasSilent = surface.silent.contains(touch.finger)
        if touch.phase == .ended { surface.silent.remove(touch.finger) }
        var finding: Exploration.Finding?
        if isOn {
            if touch.phase == .began, surface.silent.count < Self.mostSilent { surface.silent.insert(touch.finger) }
            // Fingers are followed even while no page is shown, because they come and go then, too.
            finding = surface.exploration.take(touch, at: moment, among: regions(of: page))
        }
        if isOn || !surface.hold.isIdle || !surface.silent.isEmpty { surfaces[client] = surface }
        // The piece always gets the end of a touch whose beginning it got.
        let isForPiece = !wasSilent && (!isOn || touch.phase == .ended)
        return (isForPiece, page.flatMap { page in finding.map { .found($0, page: page) } })
    }

    /// Returns, in the order of the surfaces, what the time that has passed by `now` has led to: fingers that were held, or that rested,
    /// long enough.
    mutating func advance(to now: Int64, drawingFromScreens draws: (Int) -> Bool) -> [(client: Client, outcome: Outcome)] {
        surfaces.keys.sorted().compactMap { client in
            let page = page(on: client, drawingFromScreens: draws)
            guard page != nil || isOn else { return nil }
            if surfaces[client]?.hold.isDue(at: now) == true { return (client, .toggled) }
            guard isOn, let page else { return nil }
            let regions = regions(of: page)
            surfaces[client]?.show(page)
            let finding = surfaces[client]?.exploration.advance(to: now, among: regions)
            return finding.map { (client, .found($0, page: page)) }
        }
    }

    /// Handles a press of a switch: a short one comes upon the next region of the page, a long one activates the region that was told last.
    /// The page is the one of the last press, as long as it has regions. Otherwise it is the one that the touchscreens show; without
    /// touchscreens, the one that reported regions last. Only pages on this machine (`isLocal`) count, because the switch's are nowhere
    /// else. Returns nil where there is no page.
    mutating func press(_ length: SwitchPress.Length, isLocal: (Int) -> Bool, drawingFromScreens draws: (Int) -> Bool) -> Outcome? {
        let local = pages.filter { isLocal($0.client) }
        let last = local.first { $0.client == steppedPage && !$0.regions.isEmpty } ?? local.last { draws($0.client) } ?? local.last
        guard let page = last?.client else { return nil }
        if page != steppedPage { stepping = Exploration() }
        steppedPage = page
        let regions = regions(of: page)
        return .found(length == .long ? stepping.act(among: regions) : stepping.step(among: regions), page: page)
    }

    /// Returns the fingers that are down and known to the piece; it loses them when exploring begins.
    var fingersOfPiece: [(client: Client, finger: Int)] {
        surfaces.sorted { $0.key < $1.key }.flatMap { client, surface in
            surface.hold.down.filter { !surface.silent.contains($0) }.map { (client, $0) }
        }
    }

    /// Switches exploring on or off. The piece gets nothing more of fingers that are down when exploring begins, until they touch anew.
    mutating func turn(_ on: Bool) {
        isOn = on
        stepping = Exploration()
        surfaces = surfaces.mapValues { surface in
            var surface = surface
            surface.exploration = Exploration()
            if on { surface.silent.formUnion(surface.hold.down) }
            return surface
        }
        if !on { surfaces = surfaces.filter { !$0.value.hold.isIdle || !$0.value.silent.isEmpty } }
    }

    private func regions(of page: Int?) -> [Region] { pages.first { $0.client == page }?.regions ?? [] }
}
