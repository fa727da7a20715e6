import Experience
import Fields

extension ScrollKitty {
    public static let command: CommandDeclaration? = CommandDeclaration(
        "kitty", about: "The cat's texts, and its week.",
        check: FileCheck(about: "Say whether files of the cat's texts are good, beside those that Thrum has.", fileExtension: "yaml",
                         example: "messages/scrollkitty/en/*.yaml") { try MessageFiles(with: $0).check() },
        drawing: AnswerDrawing(about: "Draw the week of the running cat: use against the goal, and health.",
                               queries: ["kitty.state", "kitty.week"]) { answers, isColored in
            try WeekDrawing(state: answers["kitty.state"] ?? .null, week: answers["kitty.week"] ?? .null, isColored: isColored).lines
        })
}
