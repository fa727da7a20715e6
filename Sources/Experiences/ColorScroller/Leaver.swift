import Experience
import Signals

/// A simulated visitor who leaves. The visitor goes through the feed at their own pace, loses interest after a while, and then either
/// leaves at once, or becomes slower for some cards and leaves. The numbers are guesses, as those of `VisitorProfile`. The model
/// `calibrated` is fitted to these visitors.
struct Leaver: SimulatedVisitor {
    enum Manner: String, CaseIterable {
        /// Leaves suddenly, without a sign on the cards before.
        case abrupt
        /// Becomes slower from card to card, and then leaves.
        case fading
    }

    /// The number of cards that every visitor views before they may lose interest.
    private static let fewest = 5
    /// The probability at each card that the visitor loses interest: right after a new skin, and the addition for each card since then.
    private static let loss = (fresh: 0.002, drought: 0.0008)
    /// The number of cards without a new skin beyond which the probability no longer grows.
    private static let longestDrought = 40
    /// The number of cards that a visitor still views between beginning to fade and leaving.
    private static let fading = 6...12
    /// The probability that a visitor whose fading is over does not leave, but is interested again.
    private static let recovery = 0.08
    /// The probability at each card that the visitor looks up from the screen, and the seconds for which they do.
    private static let distraction = (chance: 0.005, seconds: 3.0...8)

    private let manner: Manner
    /// Whether the visitor's swipes contain their velocity.
    private let isMeasured: Bool
    private var draws: SplitMix64
    /// The factor by which this visitor is slower than the average visitor, 0.7…1.3.
    private let slowness: Double
    /// How many cards ago the fading began, and after how many cards it ends; nil while the visitor does not fade.
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

    /// Updates the visitor's interest after a card. A visitor who does not fade may begin to fade, or leave at once, by chance. Fading goes
    /// on by one card; when it is over, the visitor recovers or leaves.
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
