/// What palettes' skins are called and drawn with. Stays as it is, in this order: recorded sessions name their skins by it.
enum PaletteWords {
    static let adjectives = [
        "Frozen", "Electric", "Velvet", "Hollow", "Golden", "Silent", "Restless", "Burning", "Faded", "Feral", "Glassy", "Hungry",
        "Lonely", "Molten", "Neon", "Pale", "Quiet", "Rusted", "Secret", "Sleepless", "Sugar", "Tender", "Toxic", "Wild",
    ]
    static let nouns = [
        "Ember", "Tide", "Orchid", "Signal", "Mirror", "Dusk", "Static", "Bloom", "Canyon", "Comet", "Drift", "Echo", "Fever",
        "Harbor", "Hour", "Lagoon", "Meadow", "Mirage", "Nectar", "Pulse", "Reef", "Smoke", "Thread", "Vapor",
    ]
    static let symbols = ["★", "✦", "♥", "☾", "▲", "◆", "✚", "∞"]
    static let emoji = ["🌈", "💎", "🍒", "⚡", "🪐", "🍄", "🦋", "🎈"]
}
