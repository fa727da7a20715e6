import Experience
import Fields

extension Unhooked {
    /// What operators publish: prices, catalogues, seasons, limits and switches. The rules themselves are not among it.
    public struct Configuration: PieceDocument, Codable {
        /// The kind of the documents that are published.
        static let kind = "unhooked"

        public var energy: EnergyRule
        public var limit: LimitRule
        public var recovery: Recovery
        public var foods: [Food]
        public var seasons: [Season]
        public var cosmetics: [Cosmetic]
        public var products: [Product]
        public var memorial: MemorialRule
        public var flags: Flags
        /// Nil for none.
        public var additions: Additions?

        /// What a day of restraint earns.
        public struct EnergyRule: Codable, Equatable, Sendable {
            /// γ of the formula, 0.25…4.
            public var gamma: Double
            /// Energy that a new household is given once, 0…1,000.
            public var welcome: Int
        }

        /// Minutes of screen time a day.
        public struct LimitRule: Codable, Equatable, Sendable {
            /// Where nobody has set one.
            public var standard: Int
            public var least: Int
            public var most: Int
        }

        /// Prices and limits of what Gems heal.
        public struct Recovery: Codable, Equatable, Sendable {
            public var cure: RecoveryRule
            public var revive: RecoveryRule
            public var restart: RecoveryRule
        }

        public struct RecoveryRule: Codable, Equatable, Sendable {
            /// Price.
            public var gems: Int
            /// The hours from one use to the next, 0…8,760.
            public var cooldownHours: Int
            /// How many there may be within a number of days; nil for any.
            public var window: Window?

            public struct Window: Codable, Equatable, Sendable {
                public var most: Int
                public var days: Int
            }
        }

        /// Gems that are bought, by the name that the shop's receipts have.
        public struct Product: Codable, Equatable, Sendable {
            public var id: String
            public var gems: Int
        }

        public struct MemorialRule: Codable, Equatable, Sendable {
            /// Pets that are shown, the newest; 1…100. All of them stay remembered.
            public var most: Int
        }

        /// What there is. What is off is refused by name.
        public struct Flags: Codable, Equatable, Sendable {
            public var food: Bool
            public var cosmetics: Bool
            public var recovery: Bool
            public var purchases: Bool
            public var memorial: Bool
        }

        /// The configuration as a document.
        public var json: JSONValue {
            guard let value = try? JSONValue(encoding: self) else { preconditionFailure("its numbers are finite") }
            return value
        }

        public func food(_ id: String) -> Food? { foods.first { $0.id == id } }
        public func cosmetic(_ id: String) -> Cosmetic? { cosmetics.first { $0.id == id } }
        public func product(_ id: String) -> Product? { products.first { $0.id == id } }
        public func season(_ id: String) -> Season? { seasons.first { $0.id == id } }
    }
}

/// What kind of animal a pet is.
public enum Species: String, CaseIterable, Codable, Sendable { case cat, dog }

/// Which pets eat a food.
public enum Diet: String, CaseIterable, Codable, Sendable {
    case cat, dog, both

    public func includes(_ species: Species) -> Bool { self == .both || rawValue == species.rawValue }
}
