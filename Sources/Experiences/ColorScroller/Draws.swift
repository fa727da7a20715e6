import Experience

/// A sequence of random numbers for one rule of the piece, such as the leaderboard. It is independent of the sequences of other rules. Its
/// numbers are read by index, in any order.
struct Draws: Codable, Equatable, Sendable {
    /// The rules that use random numbers. Their raw values must not change, because journals depend on them.
    enum Purpose: Int { case cards = 1, rewards, leaderboard, reset, exploration }

    private let seed: UInt64

    init(_ session: UInt64, for purpose: Purpose) {
        // Complemented, so that no purpose shares the session's own sequence, which the tone's steps are drawn from.
        seed = splitMix(~session, purpose.rawValue)
    }

    func bits(_ index: Int) -> UInt64 { splitMix(seed, index) }

    /// Returns random number `index`, from 0 up to, but not including, 1.
    func unit(_ index: Int) -> Double { unitInterval(bits(index)) }

    /// Returns random integer `index`, from 0 up to, but not including, `count`.
    func below(_ count: Int, _ index: Int) -> Int { Int(bits(index).multipliedFullWidth(by: UInt64(count)).high) }
}
