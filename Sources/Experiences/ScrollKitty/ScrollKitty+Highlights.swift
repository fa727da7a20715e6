import Experience

extension ScrollKitty {
    /// Rows of moments in a session's picture.
    static let highlights = [
        HighlightDeclaration("bypasses") { (lost: Lost) in "\(lost.app) −\(figure(lost.lost)) HP" },
        HighlightDeclaration("bands") { (lost: Lost) in
            lost.bands.isEmpty ? nil : "below " + lost.bands.map { "\($0)" }.joined(separator: ", ") + " HP"
        },
        HighlightDeclaration("shields back") { (shields: ShieldsBack) in shields.apps.joined(separator: ", ") },
        HighlightDeclaration("days") { (day: DayBegan) in day.date ?? "" },
        HighlightDeclaration("achievements") { (achieved: Achieved) in achieved.achievements.map(\.rawValue).joined(separator: ", ") },
    ]
}
