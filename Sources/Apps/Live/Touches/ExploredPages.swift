import Gestures
import Signals

/// Knows which pages can be explored by touch, whether they are, and which fingers the piece is not told of. A plain value: the caller
/// gives the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct ExploredPages {
    /// What a touch, or time, leads to on a surface.
    enum Outcome: Equatable {
        /// A finger that explores `page` has found something.
        case found(Exploration.Finding, page: Int)
        /// Two fingers were held: exploring begins, or ends.
        case toggled
    }

    private struct Page {
        var client: Int
        var regions: [Region]
    }

    /// A touchscreen, or a page with fingers of its own.
    private struct Surface {
        var hold = TwoFingerHold()
        var exploration = Exploration()
        /// The fingers of which the piece is told nothing until they are up.
        var silent: Set<Int> = []
        /// The page that it showed last; nil for none.
        private var page: Int?

        /// Notes which page it shows now. What was found on another is nothing that a second tap may act on.
        mutating func show(_ page: Int?) {
            if page != self.page { exploration.turnPage() }
            self.page = page
        }
    }

    /// The most fingers of a surface that are kept from the piece when exploring ends while they are down.
    private static let mostSilent = 10

    private(set) var isOn = false
    /// The pages that have told their regions, the one that told them last at the end.
    private var pages: [Page] = []
    private var surfaces: [Client: Surface] = [:]

    /// Notes all regions of a page, in place of those before.
    mutating func use(_ regions: Regions, of client: Int) {
        pages.removeAll { $0.client == client }
        pages.append(Page(client: client, regions: regions.all))
    }

    /// Forgets a client that is gone, with its regions and fingers.
    mutating func forget(_ client: Int) {
        pages.removeAll { $0.client == client }
        surfaces[.connection(client)] = nil
    }

    /// Forgets a touchscreen that is gone.
    mutating func forget(screen: Int) { surfaces[.screen(screen)] = nil }

    /// Whether a client has told regions.
    func hasRegions(_ client: Int) -> Bool { pages.contains { $0.client == client } }

    /// Returns the page that a surface shows: of a connection its own, of a touchscreen the one that told its regions last among those that
    /// draw from touchscreens; nil for none.
    func page(on surface: Client, drawingFromScreens draws: (Int) -> Bool) -> Int? {
        switch surface {
        case .engine: nil
        case .connection(let client): hasRegions(client) ? client : nil
        case .screen: pages.last { draws($0.client) }?.client
        }
    }

    /// Follows a touch on a surface that shows `page`. Returns whether the piece is told of it, and what it leads to.
    mutating func take(_ touch: Touch, of client: Client, on page: Int?, at moment: Int64) -> (isForPiece: Bool, outcome: Outcome?) {
        // A page that cannot be explored goes on as it was.
        if case .connection = client, page == nil { return (true, nil) }
        var surface = surfaces.removeValue(forKey: client) ?? Surface()
        surface.show(page)
        surface.hold.take(touch, at: moment)
        let wasSilent = surface.silent.contains(touch.finger)
        if touch.phase == .ended { surface.silent.remove(touch.finger) }
        var finding: Exploration.Finding?
        if isOn {
            if touch.phase == .began, surface.silent.count < Self.mostSilent { surface.silent.insert(touch.finger) }
            // Fingers come and go while no page is there, too.
            finding = surface.exploration.take(touch, at: moment, among: regions(of: page))
        }
        if isOn || !surface.hold.isIdle || !surface.silent.isEmpty { surfaces[client] = surface }
        // Letting go of what the piece holds is never kept from it.
        let isForPiece = !wasSilent && (!isOn || touch.phase == .ended)
        return (isForPiece, page.flatMap { page in finding.map { .found($0, page: page) } })
    }

    /// Returns what has come of time on each surface by `now`, in the order of the surfaces.
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

    /// Returns the fingers that are down, which the piece loses when exploring begins.
    var fingersOfPiece: [(client: Client, finger: Int)] {
        surfaces.sorted { $0.key < $1.key }.flatMap { client, surface in
            surface.hold.down.filter { !surface.silent.contains($0) }.map { (client, $0) }
        }
    }

    /// Begins or ends exploring. The piece hears no more of fingers that are down until they have come anew.
    mutating func turn(_ on: Bool) {
        isOn = on
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
