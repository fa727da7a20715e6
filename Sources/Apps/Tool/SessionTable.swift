import ColorScroller
import Offline
import Signals

/// What a session of ColorScroller was like, as a table for people.
enum SessionTable {
    static func lines(_ statistics: SessionStatistics, name: String) -> [String] {
        guard let last = statistics.last else { return [name, "  no card was viewed"] }
        let highs = statistics.interventions.filter { $0.strength == .high }.count
        return [
            name,
            "  session        \(Report.fixed(last.sessionLength, 1)) s, cards viewed: \(last.blocksViewed), of them unique: "
                + "\(last.uniqueBlocksSeen)",
            "  interventions  \(statistics.interventions.count), of them high: \(highs)",
            "  toasts         \(statistics.toasts), palettes: \(statistics.palettes)",
            "",
            row("", ["views", "unlocked", "first at view", "last at view"]),
        ] + rarities(statistics) + [
            "",
            row("", ["count", "mean", "5 %", "median", "95 %", "most"]),
            row("seconds on a card", statistics.dwell, 2), row("velocity, heights/s", statistics.velocity, 2),
            row("cards to an unlock", statistics.drought, 0), row("P(churn)", statistics.churn, 3),
        ]
    }

    private static func rarities(_ statistics: SessionStatistics) -> [String] {
        let kinds: [Rarity?] = [nil] + Rarity.allCases
        return kinds.map { rarity in
            let unlocks = statistics.unlocks.filter { $0.rarity == rarity }
            let places = unlocks.isEmpty ? ["", ""] : [unlocks[0], unlocks[unlocks.count - 1]].map { "\($0.blocksViewed)" }
            return row(rarity?.rawValue ?? "grey", ["\(statistics.views[rarity] ?? 0)", rarity == nil ? "" : "\(unlocks.count)"] + places)
        }
    }

    private static func row(_ title: String, _ distribution: Distribution, _ digits: Int) -> String {
        guard distribution.count > 0 else { return row(title, ["0"]) }
        let values = [distribution.mean] + [5, 50, 95, 100].map { distribution.percentile($0) }
        return row(title, ["\(distribution.count)"] + values.map { Report.fixed($0, digits) })
    }

    private static func row(_ title: String, _ cells: [String]) -> String {
        func padding(_ text: String, to width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) }
        let line = "  " + title + padding(title, to: 20) + cells.map { padding($0, to: 14) + $0 }.joined()
        return line.last == " " ? String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]) : line
    }
}
