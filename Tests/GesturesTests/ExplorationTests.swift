import Gestures
import Signals
import Testing

@Suite struct ExplorationTests {
    private var exploration = Exploration()
    private static func region(_ id: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Region {
        Region(id: id, label: "The \(id)", role: .button, x: x, y: y, width: width, height: height)
    }

    /// Two buttons side by side, and a picture that has a small button in it.
    private let left = region("left", 0, 0, 0.5, 0.2), right = region("right", 0.5, 0, 0.5, 0.2)
    private let picture = region("picture", 0, 0.4, 1, 0.4), small = region("small", 0.4, 0.5, 0.1, 0.1)
    private lazy var regions = [left, right, small, picture]

    private mutating func put(_ phase: Touch.Phase, _ x: Double? = nil, _ y: Double? = nil, finger: Int = 0, at ms: Int)
        -> Exploration.Finding? {
        exploration.take(Touch(phase, finger: finger, x: x, y: y), at: Int64(ms) * 1_000_000, among: regions)
    }

    private mutating func rest(until ms: Int) -> Exploration.Finding? { exploration.advance(to: Int64(ms) * 1_000_000, among: regions) }

    @Test mutating func `a finger is told each region that it comes upon once, and that nothing is under it`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        #expect(put(.moved, 0.2, 0.1, at: 400) == nil)
        #expect(put(.moved, 0.6, 0.1, at: 500) == .entered(right))
        #expect(put(.moved, 0.6, 0.3, at: 600) == .blank)
        #expect(put(.moved, 0.6, 0.35, at: 700) == nil)
        #expect(put(.moved, 0.6, 0.5, at: 800) == .entered(picture))
        #expect(put(.ended, 0.6, 0.5, at: 900) == nil)
        #expect(put(.began, 0.6, 0.5, at: 2_000) == .entered(picture), "another finger is told anew")
    }

    @Test mutating func `what was told on another page is not acted on, and a finger that is down explores the next one`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        exploration.turnPage()
        _ = put(.began, 0.6, 0.1, finger: 1, at: 50)
        #expect(put(.ended, 0.6, 0.1, finger: 1, at: 100) == nil)
        #expect(put(.moved, 0.1, 0.1, at: 150) == .entered(left))
        _ = put(.ended, 0.1, 0.1, at: 200)
        exploration.turnPage()
        #expect(put(.began, 0.6, 0.1, at: 300) == .entered(right), "it is no second tap")
    }

    @Test mutating func `a switch goes through what acts, in the page's order and round, and acts on what was told last`() {
        let heading = Region(id: "heading", label: "The heading", role: .heading, x: 0, y: 0, width: 1, height: 0.1)
        let page = [heading, left, right]
        #expect(exploration.act(among: page) == .blank, "nothing was told")
        #expect(exploration.step(among: page) == .entered(left))
        #expect(exploration.act(among: page) == .activated(left))
        #expect(exploration.step(among: page) == .entered(right))
        #expect(exploration.step(among: page) == .entered(left), "after the last comes the first")
        #expect(exploration.step(among: [heading, right]) == .entered(right), "what was told is gone, so it begins anew")
        #expect(exploration.act(among: [heading]) == .blank)
        #expect(exploration.step(among: [heading]) == .blank, "nothing acts")
    }

    @Test mutating func `a finger that comes down beside all regions is told so`() {
        #expect(put(.began, 0.5, 0.9, at: 0) == .blank)
        #expect(put(.moved, 0.5, 0.95, at: 100) == nil)
    }

    @Test mutating func `a finger at an edge stays where it was until it is 1 % of the page outside`() {
        #expect(put(.began, 0.49, 0.1, at: 0) == .entered(left))
        #expect(put(.moved, 0.505, 0.1, at: 400) == nil)
        #expect(put(.moved, 0.511, 0.1, at: 410) == .entered(right))
        #expect(put(.moved, 0.495, 0.1, at: 420) == nil)
        #expect(put(.moved, 0.6, 0.205, at: 430) == nil)
        #expect(put(.moved, 0.6, 0.215, at: 440) == .blank)
    }

    @Test mutating func `a smaller region takes over at once, and is left like any other`() {
        #expect(put(.began, 0.3, 0.55, at: 0) == .entered(picture))
        #expect(put(.moved, 0.401, 0.55, at: 400) == .entered(small))
        #expect(put(.moved, 0.395, 0.55, at: 410) == nil)
        #expect(put(.moved, 0.385, 0.55, at: 420) == .entered(picture))
    }

    @Test mutating func `a tap within half a second acts on what was told last, wherever it is, and tells nothing`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        #expect(put(.ended, 0.1, 0.1, at: 2_000) == nil)
        #expect(put(.began, 0.6, 0.6, at: 2_500) == nil)
        #expect(put(.ended, 0.6, 0.6, at: 2_700) == .activated(left))
        #expect(put(.began, 0.6, 0.6, at: 2_900) == .entered(picture), "a third tap begins anew")
    }

    @Test mutating func `a tap on a region and one more act on it, and slower ones do not`() {
        #expect(put(.began, 0.6, 0.1, at: 0) == .entered(right))
        #expect(put(.ended, 0.6, 0.1, at: 100) == nil)
        #expect(put(.began, 0.6, 0.1, at: 601) == .entered(right), "501 ms later it is another first tap")
        #expect(put(.ended, 0.6, 0.1, at: 700) == nil)
        #expect(put(.began, 0.6, 0.1, at: 800) == nil)
        #expect(put(.ended, 0.6, 0.1, at: 900) == .activated(right))
    }

    @Test mutating func `a tap of a second finger acts while the first one rests, which goes on exploring`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        #expect(put(.began, 0.9, 0.9, finger: 1, at: 3_000) == nil)
        #expect(put(.ended, 0.9, 0.9, finger: 1, at: 3_200) == .activated(left))
        #expect(put(.moved, 0.6, 0.1, at: 3_300) == .entered(right))
    }

    @Test mutating func `a finger that stays too long or goes too far for a tap explores, and acts on nothing`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        #expect(put(.ended, 0.1, 0.1, at: 100) == nil)
        #expect(put(.began, 0.6, 0.1, at: 200) == nil)
        #expect(rest(until: 500) == nil)
        #expect(rest(until: 501) == .entered(right), "it rests")
        #expect(put(.ended, 0.6, 0.1, at: 600) == nil)
        #expect(put(.began, 0.1, 0.1, at: 700) == nil)
        #expect(put(.moved, 0.14, 0.1, at: 720) == .entered(left))
        #expect(put(.ended, 0.14, 0.1, at: 740) == nil)
    }

    @Test mutating func `a finger that is taken away is no tap, and before anything was told there is nothing to act on`() {
        #expect(put(.began, 0.5, 0.9, at: 0) == .blank)
        #expect(put(.ended, 0.5, 0.9, at: 100) == nil)
        #expect(put(.began, 0.5, 0.9, at: 200) == .blank)
        #expect(put(.ended, 0.5, 0.9, at: 300) == nil)
        #expect(put(.began, 0.1, 0.1, at: 1_000) == .entered(left))
        #expect(put(.ended, 0.1, 0.1, at: 1_100) == nil)
        #expect(put(.began, 0.1, 0.1, at: 1_200) == nil)
        #expect(put(.ended, at: 1_300) == nil)
    }

    @Test mutating func `a region that is gone is not acted on, and one under a resting finger that is gone is left`() {
        #expect(put(.began, 0.1, 0.1, at: 0) == .entered(left))
        regions = [right]
        #expect(put(.moved, 0.1, 0.1, at: 400) == .blank)
        #expect(put(.began, 0.1, 0.1, finger: 1, at: 500) == nil)
        #expect(put(.ended, 0.1, 0.1, finger: 1, at: 600) == nil)
    }

    @Test mutating func `a finger that has not come down leads to nothing`() {
        #expect(put(.moved, 0.1, 0.1, at: 0) == nil && put(.ended, 0.1, 0.1, at: 10) == nil)
    }
}
