import Experience
import Fields

/// What operators publish for a piggy bank.
public struct Terms: PieceDocument {
    public struct Sticker: Equatable, Sendable {
        public var id: String
        public var price: Int
    }

    /// What comes on top of each coin.
    public var bonus = 0
    /// More does not fit into a bank.
    public var capacity = 1 << 53
    public var stickers: [Sticker] = []

    public init() {}

    public init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["bonus", "capacity", "stickers"])
        bonus = try fields.integer("bonus", in: 0...1_000)
        capacity = try fields.integer("capacity", in: 1...(1 << 53))
        guard var list = try fields.objectsIfPresent("stickers", expected: "a list of stickers") else { return }
        while let sticker = try list.next() {
            try sticker.refuseAll(but: ["id", "price"])
            stickers.append(Sticker(id: try sticker.text("id", limit: 64), price: try sticker.integer("price", in: 1...1_000)))
        }
    }

    public var json: JSONValue {
        let stickers = stickers.map { JSONValue.object(["id": .text($0.id), "price": .integer(Int64($0.price))]) }
        return .object(["bonus": .integer(Int64(bonus)), "capacity": .integer(Int64(capacity)), "stickers": .list(stickers)])
    }

    public static let declaration = ConfigurationDeclaration("terms", about: "What a coin is worth, and how much fits in.",
                                                             standard: Terms()) { new, former, memories in
        var faults: [Fault] = []
        let fullest = memories.compactMap { try? $0.read { try PiggyBank.Memory($0) }.sum }.max() ?? 0
        if fullest > new.capacity {
            faults.append(Fault(field: "capacity", expected: "\(fullest) or more, which a household has", found: "\(new.capacity)"))
        }
        for sticker in former?.stickers ?? [] where !new.stickers.contains(where: { $0.id == sticker.id }) {
            faults.append(Fault(field: "stickers", expected: "\(sticker.id), which is there already", found: "nothing"))
        }
        return faults
    }

    /// Ten coins of 1 to 20 for each of 1,000 banks.
    public static let forecast = Forecast(about: "1,000 banks with 10 coins each") { documents, progress in
        progress(0)
        guard let terms = documents["terms"] as? Terms else { return [] }
        var draws = SplitMix64(seed: 29)
        let sums = (0..<1_000).map { _ in
            (0..<10).reduce(0) { sum, _ in
                let next = sum + 1 + draws.below(20) + terms.bonus
                return next > terms.capacity ? sum : next
            }
        }.sorted()
        return [Forecast.Measure("median sum", Double(sums[499] + sums[500]) / 2, unit: "cents"),
                Forecast.Measure("full banks", Double(sums.count { $0 + 20 + terms.bonus > terms.capacity }))]
    }
}
