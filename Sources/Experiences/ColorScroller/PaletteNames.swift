import Experience

/// What a palette's skins are called: an adjective and a noun, drawn apart from the colours, so that a name that is taken moves no colour.
struct PaletteNames: Sendable {
    /// So many draws find a free pair while one in ten of the 576 is.
    private static let attempts = 64

    private var draws: SplitMix64

    /// `seed` is the palette's.
    init(seed: UInt64) { draws = SplitMix64(seed: ~seed) }

    /// One that is not among `names`, and is then. When no pair is found that is free, the last drawn gets the first number that is.
    mutating func next(besides names: inout Set<String>) -> String {
        var name = ""
        for _ in 0..<Self.attempts {
            name = draws.pick(PaletteWords.adjectives) + " " + draws.pick(PaletteWords.nouns)
            if names.insert(name).inserted { return name }
        }
        var number = 2
        while !names.insert("\(name) \(number)").inserted { number += 1 }
        return "\(name) \(number)"
    }
}
