import Experience

/// The random numbers of one rule. They are independent of other rules' numbers, and are read by index, in any order.
struct Draws: Codable, Equatable, Sendable {
    /// The rules that draw. Their numbers stay as they are: journals depend on them.
    enum Purpose: Int { case cards = 1, rewards, leaderboard, reset, exploration }

    private let seed: UInt64

    init(_ session: UInt64, for purpose: Purpose) {
        // Complemented, so that no purpose shares the session's own sequence, which the tone's steps are drawn from.
        seed = splitMix(~session, purpose.rawValue)
    }

    func bits(_ index: Int) -> UInt64 { splitMix(seed, index) }

    /// Returns 0 up to, and without, 1.
    func unit(_ index: Int) -> Double { unitInterval(bits(index)) }

    /// Returns 0 up to, and without, `count`.
    func below(_ count: Int, _ index: Int) -> Int { Int(bits(index).multipliedFullWidth(by: UInt64(count)).high) }
}
