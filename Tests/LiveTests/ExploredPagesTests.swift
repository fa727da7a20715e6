import Gestures
import Signals
import Testing

@testable import Live

@Suite struct ExploredPagesTests {
    private var pages = ExploredPages()
    private let button = Region(id: "a", label: "A", role: .button, x: 0, y: 0, width: 0.5, height: 0.5)
    private let second: Int64 = 1_000_000_000

    private mutating func put(_ phase: Touch.Phase, finger: Int = 0, of client: Client = .screen(1), on page: Int? = 7,
                              at moment: Int64 = 0) -> (isForPiece: Bool, outcome: ExploredPages.Outcome?) {
        pages.take(Touch(phase, finger: finger, x: 0.1, y: 0.1), of: client, on: page, at: moment)
    }

    @Test mutating func `a touchscreen shows the page that told its regions last of those that draw from it, and a page shows itself`() {
        for client in [3, 4, 5] { pages.use(Regions([button]), of: client) }
        #expect(pages.page(on: .screen(1), drawingFromScreens: { $0 != 5 }) == 4)
        pages.use(Regions(), of: 3)
        #expect(pages.page(on: .screen(1), drawingFromScreens: { $0 != 5 }) == 3)
        #expect(pages.page(on: .screen(1), drawingFromScreens: { _ in false }) == nil)
        #expect(pages.page(on: .connection(5), drawingFromScreens: { _ in false }) == 5)
        #expect(pages.page(on: .connection(6), drawingFromScreens: { _ in true }) == nil)
        pages.forget(3)
        #expect(pages.page(on: .screen(1), drawingFromScreens: { _ in true }) == 5 && !pages.hasRegions(3))
    }

    @Test mutating func `while pages are explored the piece hears of no finger, but of what it holds being let go`() {
        pages.use(Regions([button]), of: 7)
        #expect(put(.began).isForPiece)
        #expect(pages.fingersOfPiece.map(\.finger) == [0])
        pages.turn(true)
        #expect(pages.fingersOfPiece.isEmpty)
        #expect(!put(.moved).isForPiece && !put(.ended).isForPiece, "it was let go when exploring began")
        let (isForPiece, outcome) = put(.began, at: second)
        #expect(!isForPiece && outcome == .found(.entered(button), page: 7))
        pages.turn(false)
        #expect(!put(.moved).isForPiece && !put(.ended).isForPiece, "it came down while exploring")
        #expect(put(.began).isForPiece && put(.ended).isForPiece)
        pages.turn(true)
        #expect(put(.ended, finger: 9).isForPiece, "nobody knows who holds it")
    }

    @Test mutating func `a touchscreen without a page leads to nothing meanwhile, and a client without regions goes on`() {
        pages.use(Regions([button]), of: 7)
        pages.turn(true)
        let (isForPiece, outcome) = put(.began, on: nil)
        #expect(!isForPiece && outcome == nil)
        #expect(put(.began, of: .connection(8), on: nil).isForPiece)
    }

    @Test mutating func `a second tap acts on nothing that was told on another page, though its region has the same id`() {
        pages.use(Regions([button]), of: 7)
        pages.turn(true)
        #expect(put(.began).outcome == .found(.entered(button), page: 7))
        _ = put(.ended)
        pages.forget(7)
        pages.use(Regions([button]), of: 8)
        #expect(put(.began, on: 8).outcome == .found(.entered(button), page: 8))
        #expect(put(.ended, on: 8).outcome == nil)
    }

    @Test mutating func `a finger that goes while no page is there explores no more, and one that came then does`() {
        pages.use(Regions([button]), of: 7)
        pages.turn(true)
        _ = put(.began)
        #expect(put(.ended, on: nil).outcome == nil)
        #expect(put(.began, finger: 1, on: nil, at: second).outcome == nil)
        #expect(put(.moved, finger: 1, on: 7, at: second).outcome == .found(.entered(button), page: 7))
    }

    @Test mutating func `two held fingers toggle where there is a page, or to end it, and a late finger is told`() {
        for finger in [0, 1] { _ = put(.began, finger: finger, on: nil) }
        #expect(pages.advance(to: 3 * second) { _ in false }.isEmpty, "no page can be explored")
        pages.use(Regions([button]), of: 7)
        let toggled = pages.advance(to: 3 * second) { _ in true }
        #expect(toggled.map(\.client) == [.screen(1)] && toggled.map(\.outcome) == [.toggled])
        pages.turn(true)
        for finger in [0, 1] { _ = put(.ended, finger: finger) }
        _ = put(.began, at: 10 * second)
        _ = put(.ended, at: 10 * second)
        _ = put(.began, at: 10 * second)
        #expect(pages.advance(to: 10 * second) { _ in true }.isEmpty, "it may be a second tap")
        #expect(pages.advance(to: 11 * second) { _ in true }.map(\.outcome) == [.found(.entered(button), page: 7)])
    }

    @Test mutating func `a switch stays with its page while others tell their regions, and leaves other machines' pages alone`() {
        func step(_ pages: inout ExploredPages) -> Int? {
            if case .found(_, let page) = pages.press(.short, isLocal: { $0 != 9 }, drawingFromScreens: { $0 == 7 || $0 == 8 }) { page } else { nil }
        }
        pages.use(Regions([button]), of: 9)
        pages.turn(true)
        #expect(step(&pages) == nil, "it is an operator's page elsewhere")
        pages.use(Regions([button]), of: 5)
        #expect(step(&pages) == 5, "no touchscreen shows a page")
        pages.forget(5)
        for client in [7, 8] { pages.use(Regions([button]), of: client) }
        #expect(step(&pages) == 8)
        pages.use(Regions([button]), of: 7)
        #expect(step(&pages) == 8 && step(&pages) == 8)
        pages.use(Regions(), of: 8)
        pages.use(Regions([button]), of: 7)
        #expect(step(&pages) == 7)
        pages.use(Regions([button]), of: 8)
        #expect(step(&pages) == 7)
        pages.forget(7)
        #expect(step(&pages) == 8)
    }
}
