import Experience

extension Unhooked {
    /// Rows of moments in a session's picture.
    static let highlights = [
        HighlightDeclaration("meals") { (meal: Meal) in "\(meal.food) −\(meal.energy) Energy" },
        HighlightDeclaration("purchases") { (bought: Bought) in bought.cosmetic },
        HighlightDeclaration("Gems") { (gems: GemsBought) in (gems.isRefund ? "−" : "+") + "\(gems.gems)" },
        HighlightDeclaration("health") { (change: HealthChange) in change.text.en },
        HighlightDeclaration("recoveries") { (recovered: Recovered) in recovered.recovery.rawValue },
        HighlightDeclaration("good days") { (treated: Treated) in "\(treated.goodDays)" },
        HighlightDeclaration("growth") { (grew: Grew) in grew.stage.rawValue },
        HighlightDeclaration("days") { (over: DayOver) in (over.date.map { $0 + " " } ?? "") + "+\(over.energy) Energy" },
    ]
}
