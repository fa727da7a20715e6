/// Every skin the visitor has unlocked, in the order of unlocking.
public struct Inventory: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var skin: Skin
        /// Views of cards that carry it.
        public var timesSeen: Int

        public init(skin: Skin, timesSeen: Int) {
            self.skin = skin
            self.timesSeen = timesSeen
        }
    }

    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    public subscript(rarity: Rarity) -> [Entry] { entries.filter { $0.skin.rarity == rarity } }
}
