import Experience

/// Something to eat. It costs Energy only.
public struct Food: Codable, Equatable, Sendable {
    /// Lower-case letters, digits and `-`.
    public var id: String
    public var species: Diet
    public var title: Words
    /// Price.
    public var energy: Int
    public var effect: Effect
    /// Where it is another for one species; what is left out is as in `effect`.
    public var cat: Override?
    public var dog: Override?

    /// What it does to the pet that eats it.
    public struct Effect: Codable, Equatable, Sendable {
        /// Points of 100.
        public var fullness: Int
        /// Points of 100.
        public var mood: Int
        /// Added to the day's buff, 0…1, in thousandths.
        public var buff: Double
        /// The animation to draw.
        public var animation: String

        /// The buff in thousandths.
        public var thousandths: Int { Int((buff * 1_000).rounded()) }
    }

    public struct Override: Codable, Equatable, Sendable {
        public var fullness: Int?
        public var mood: Int?
        public var buff: Double?
        public var animation: String?
    }

    public func effect(on species: Species) -> Effect {
        guard let override = species == .cat ? cat : dog else { return effect }
        return Effect(fullness: override.fullness ?? effect.fullness, mood: override.mood ?? effect.mood,
                      buff: override.buff ?? effect.buff, animation: override.animation ?? effect.animation)
    }
}
