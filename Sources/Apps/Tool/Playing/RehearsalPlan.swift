import Experience
import Fields
import Wire

/// What a rehearsal goes through: the piece's announcements, then what it asks of a theme.
struct RehearsalPlan {
    struct Request: Equatable {
        var method: String
        var pairs: [String]
    }

    struct Step: Equatable {
        /// Of an announcement; or what plays a sound, a pattern or a texture.
        var topic: String
        var name: String
        var begin: Request
        /// What lets go of it; nil where nothing is held.
        var end: Request?

        var words: String { "\(topic)/\(name)" }
    }

    private let steps: [Step]

    /// Of the theme's `chimes`, `haptics` and `textures` those that `piece` plays: a theme has what other pieces ask for, too.
    init(_ rehearsal: RehearsalList, chimes: NameList, haptics: NameList, textures: NameList, of piece: Declaration) {
        let (chimes, textures) = (chimes.names.filter(piece.chimes.contains), textures.names.filter(piece.textures.contains))
        let haptics = haptics.names.filter((piece.haptics + Hands.haptics).contains)
        func played(_ topic: String, _ name: String) -> Step {
            Step(topic: topic, name: name, begin: Request(method: topic + ".play", pairs: ["name=\(name)"]))
        }
        steps = rehearsal.scenes.map { scene in
            Step(topic: scene.topic, name: scene.name,
                 begin: Request(method: "rehearse", pairs: ["topic=\(scene.topic)", "name=\(scene.name)"]))
        } + chimes.map { played("chime", $0) } + haptics.map { played("haptic", $0) } + textures.map { name in
            Step(topic: "texture", name: name, begin: Request(method: "texture.set", pairs: ["name=\(name)", "on=true"]),
                 end: Request(method: "texture.set", pairs: ["name=\(name)", "on=false"]))
        }
    }

    /// All, or those that `only` names by `TOPIC` or `TOPIC/NAME`. Throws for a word that names none.
    func steps(only: [String]) throws(Fault) -> [Step] {
        for word in only where !steps.contains(where: { Self.matches($0, word) }) {
            let topic = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
            let names = steps.filter { $0.topic == topic }.map(\.words)
            let known = names.isEmpty ? steps.reduce(into: [String]()) { if !$0.contains($1.topic) { $0.append($1.topic) } } : names
            throw Fault(field: "only", expected: "one of " + known.joined(separator: ", "),
                        found: "\"\(word)\"" + Spelling.hint(for: word, among: known))
        }
        return only.isEmpty ? steps : steps.filter { step in only.contains { Self.matches(step, $0) } }
    }

    private static func matches(_ step: Step, _ word: String) -> Bool { word == step.topic || word == step.words }

    /// As in `12 of 43  unlock, rare`.
    static func line(_ number: Int, of count: Int, _ step: Step) -> String {
        let digits = "\(number)"
        return String(repeating: " ", count: "\(count)".count - digits.count) + "\(digits) of \(count)  \(step.topic), \(step.name)"
    }
}
