import Experience
import Signals

/// A visitor that leaves: the visitor goes through the feed at a pace of its own, is lost after a while, and is then either gone at once,
/// or slower and slower for some cards. The numbers are guesses, as those of `VisitorProfile`; the model `calibrated` is fitted to them.
struct Leaver: SimulatedVisitor {
    enum Manner: String, CaseIterable {
        /// Gone from one card to the next.
        case abrupt
        /// Slower from card to card, and then gone.
        case fading
    }

    /// The number of cards that everybody looks at.
    private static let fewest = 5
    /// The chance that a card is the last one liked: at once after something new, and what is added for each card since.
    private static let loss = (fresh: 0.002, drought: 0.0008)
    /// The cards since something new beyond which the chance grows no more.
    private static let longestDrought = 40
    /// The number of cards that a fading visitor goes on for.
    private static let fading = 6...12
    /// The chance that a visitor who was fading takes heart again after all.
    private static let recovery = 0.08
    /// The chance that somebody looks up from the screen, and for how many seconds.
    private static let distraction = (chance: 0.005, seconds: 3.0...8)

    private let manner: Manner
    /// Whether swipes come with their velocity.
    private let isMeasured: Bool
    private var draws: SplitMix64
    /// The visitor's slowness beside others', 0.7…1.3.
    private let slowness: Double
    /// The cards of the fading that are over, and all of them; nil before it begins.
    private var fade: (card: Int, length: Int)?
    private var isGone = false
    var isEngaged: Bool { fade == nil }

    init(_ manner: Manner, measured: Bool, draws: SplitMix64) {
        self.manner = manner
        isMeasured = measured
        self.draws = draws
        slowness = 0.7 + 0.6 * self.draws.unit()
    }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let scroller = run.piece as? ColorScroller, !isGone else { return [] }
        let now = scroller.feedState(at: seconds)
        let isColored = scroller.cards(now.index..<now.index + 1).first?.rarity != nil
        loseHeart(after: now)
        if isGone { return [] }
        // 0 while all is well, 1 at the end.
        let weariness = fade.map { Double($0.card) / Double($0.length) } ?? 0
        var dwell = (isColored ? 1.4 : 0.8) * (0.5 + draws.unit()) * slowness * (1 + 8 * weariness)
        if draws.unit() < Self.distraction.chance {
            let seconds = Self.distraction.seconds
            dwell += seconds.lowerBound + (seconds.upperBound - seconds.lowerBound) * draws.unit()
        }
        dwell = max(dwell, (now.pausedUntil ?? 0) - now.time)
        let velocity = (1.5 + 2 * draws.unit()) / slowness / (1 + 8 * weariness)
        return [
            VisitorStep(after: dwell, .touch(Touch(.began))),
            VisitorStep(after: FingerTime.flick(draws.unit()), .touch(Touch(.ended))),
            VisitorStep(after: 0, .swipe(Swipe(.up, velocity: isMeasured ? velocity : nil))),
        ]
    }

    /// Brings the visitor one card nearer to leaving: by chance interest begins to fade or ends at once, and a fade that is over ends in
    /// recovery or in leaving.
    private mutating func loseHeart(after now: FeedState) {
        if let (card, length) = fade {
            fade = (card + 1, length)
            guard card + 1 >= length else { return }
            if draws.unit() < Self.recovery { fade = nil } else { isGone = true }
            return
        }
        let drought = Double(min(now.rewardDrought, Self.longestDrought))
        guard now.blocksViewed >= Self.fewest, draws.unit() < Self.loss.fresh + Self.loss.drought * drought else { return }
        switch manner {
        case .abrupt: isGone = true
        case .fading: fade = (0, Self.fading.lowerBound + draws.below(Self.fading.count))
        }
    }
}

extension Leaver {
    static let declarations = Manner.allCases.flatMap { manner in
        [true, false].map { measured in
            let name = measured ? manner.rawValue : manner.rawValue + "-unmeasured"
            return VisitorDeclaration(name, about: manner.about(measured: measured)) { draws in
                Leaver(manner, measured: measured, draws: draws)
            }
        }
    }
}

extension Leaver.Manner {
    fileprivate func about(measured: Bool) -> String {
        let words = switch self {
        case .abrupt: "Leaves from one card to the next"
        case .fading: "Grows slower and slower for some cards, and leaves"
        }
        return words + (measured ? "." : "; no swipe comes with its velocity.")
    }
}
