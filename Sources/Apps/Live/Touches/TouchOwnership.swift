import Evdev
import Fields
import Signals
import Wire

/// Decides whether touches come from the engine's touchscreens or from the pages themselves: each finger has one owner. A plain value.
/// Thread: the event loop.
struct TouchOwnership {
    /// The owner of touches for which a page asks in `hello`.
    enum Wish: String, CaseIterable, Sendable {
        /// The engine: the page fills the screen, and draws the touches that the engine reads from the touchscreen, if it reads it.
        case engine
        /// The page: it reports touches itself, and has fingers of its own.
        case page
    }

    private var wishes: [Int: Wish] = [:]
    /// The touchscreens that the engine has opened.
    private var screens: [Devices.Report.Screen] = []
    private var lastReport: TouchOwnerReport?

    private var heard: [Devices.Report.Screen] { screens.filter { !$0.isDeaf } }

    /// Records a page's wish. A client that may only watch has no touches. A visitor on another machine does not decide about this
    /// machine's touchscreens: whatever it asks for, it has fingers of its own.
    mutating func introduced(_ client: Int, _ wish: Wish?, as role: Role, isLocal: Bool) {
        switch role {
        case .watch, .volume: wishes[client] = nil
        case .visitor, .player: wishes[client] = isLocal ? wish : wish.map { _ in .page }
        case .operator: wishes[client] = wish
        }
    }

    mutating func disconnected(_ client: Int) { wishes[client] = nil }

    mutating func follow(_ screens: [Devices.Report.Screen]) { self.screens = screens }

    /// Whether the engine must take the touchscreens' events for itself alone (grab them), because a page draws their touches.
    var wantsScreens: Bool { wishes.values.contains(.engine) }

    var owner: TouchOwner {
        if wantsScreens { return heard.isEmpty ? .page : .engine }
        return wishes.isEmpty || !heard.isEmpty ? .anyone : .page
    }

    /// Whether the engine recognizes swipes and taps in this client's touches: the client has said in `hello` whose touches it uses.
    func seesGestures(of client: Int) -> Bool { wishes[client] != nil }

    /// Returns who owns touches, for the answer to a client's `hello`; nil for a client that has not said there whose touches it uses.
    func report(for client: Int) -> TouchOwnerReport? {
        wishes[client].map { $0 == .page ? TouchOwnerReport(owner: .page, screens: report.screens) : report }
    }

    /// Returns who owns touches, if that has changed since the last call; nil if it has not.
    mutating func takeChange() -> TouchOwnerReport? {
        let report = report
        guard report != lastReport else { return nil }
        defer { lastReport = report }
        return lastReport == nil && report.owner == .anyone && report.screens.isEmpty ? nil : report
    }

    /// Returns why a client may not report `kind`; nil when it may. The end of a touch is never refused.
    func refusal(of kind: EventKind, from client: Int) -> Fault? {
        guard kind.isOfFingers, !kind.releases, wishes[client] == .engine, owner == .engine else { return nil }
        return Fault(field: "method", expected: "none of tap, touch and swipe, because the engine reads the touchscreen (touch.owner)",
                     found: "\"\(kind.name)\"")
    }

    /// Whether a client is a page that draws the engine's touches.
    func drawsFromScreens(_ client: Int) -> Bool { wishes[client] == .engine && owner == .engine }

    /// Returns why a client may not claim a finger on the touchscreen for itself; nil when it may.
    func refusalOfClaim(from client: Int) -> Fault? {
        guard !drawsFromScreens(client) else { return nil }
        return Fault(field: "method", expected: "no finger.claim, except of a page that draws from the engine's touches (hello)")
    }

    private var report: TouchOwnerReport {
        TouchOwnerReport(owner: owner, screens: heard.map { screen in
            TouchOwnerReport.Screen(client: Client.screen(screen.number).number, name: screen.name, rotate: screen.turn.rawValue,
                                    width: screen.width, height: screen.height)
        })
    }
}

extension EventKind {
    fileprivate var isOfFingers: Bool {
        switch self {
        case .touch, .tap, .swipe: true
        default: false
        }
    }
}
