import Calendar
import Experience

/// Something to wear. It changes nothing but looks.
public struct Cosmetic: Codable, Equatable, Sendable {
    /// Lower-case letters, digits and `-`.
    public var id: String
    public var category: Category
    public var title: Words
    public var price: Price
    /// The id of the season in which it can be bought; nil for always. Whoever has it may wear it at any time.
    public var season: String?
    /// Whether it can be bought at all. What is sold no more stays in the list, because wardrobes have it.
    public var isForSale: Bool

    /// The categories of cosmetics: a pet wears one of each at most.
    public enum Category: String, CaseIterable, Codable, Sendable { case hat, glasses, neck, coat, background }

    public struct Price: Codable, Equatable, Sendable {
        /// 0 for none.
        public var energy: Int
        public var gems: Int
    }
}

/// Days of each year, by the piece's calendar.
public struct Season: Codable, Equatable, Sendable {
    public var id: String
    public var title: Words
    /// `MM-DD`, the first day.
    public var from: String
    /// `MM-DD`, the last day; before `from`, it is the next year's.
    public var until: String

    /// Returns whether a day, counted from 1970-01-01, is in the season.
    public func includes(_ day: Int) -> Bool {
        let date = PieceTime.monthAndDay(of: day)
        return from <= until ? from <= date && date <= until : date >= from || date <= until
    }
}
