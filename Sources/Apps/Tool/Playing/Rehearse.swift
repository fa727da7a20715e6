import ArgumentParser
import ControlSocket
import Escaping
import Experience
import Fields
import Processes
import Wire

struct Rehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Show front ends everything that a piece can announce, one thing after the other.",
        discussion: """
            For whoever draws: thrumd tells its subscribers each announcement of the piece in each of its kinds, marked with \
            "rehearsal":true, and then plays every chime, pattern and texture that the piece asks of a theme. The piece itself, its \
            journal and its ledger know nothing of the announcements. In the end front ends are told how the piece really is.

            q or Ctrl-C ends it early. Nothing is held then. Do not rehearse in front of visitors: they would see it.

            EXAMPLES
              thrum rehearse colorscroller
              thrum rehearse colorscroller --only unlock --only chime/unlock --every 1
              thrum rehearse scrollkitty --list
            """)

    @Argument(help: "The piece that thrumd plays: \(Rehearse.pieces.joined(separator: ", ")).", completion: .list(Rehearse.pieces))
    var piece: String

    @Option(help: ArgumentHelp("Only this topic, or this one of it; may be given several times. Sounds are chime, haptic and texture.",
                               valueName: "topic[/name]"))
    var only: [String] = []

    @Option(help: "How long each is shown, 0.1 to 60 s.")
    var every = 2.0

    @Flag(help: "Only say what there is.")
    var list = false

    @OptionGroup var daemon: Daemon

    private static var pieces: [String] { Pieces.current.all.declarations.filter { $0.rehearsal != nil }.map(\.name) }

    func validate() throws {
        guard (0.1...60).contains(every) else { throw ValidationError("--every: expected 0.1 to 60 (s), found \(every)") }
        guard Self.pieces.contains(piece) else {
            let known = Self.pieces.joined(separator: ", ")
            throw ValidationError("expected one of \(known), found \"\(piece)\"\(Spelling.hint(for: piece, among: Self.pieces))")
        }
    }

    func run() async throws {
        guard let declaration = Pieces.current.all.declarations.first(where: { $0.name == piece }) else { return }
        Interruption.watch()
        try await daemon.converse { exchange in
            let greeting: Greeting = try await exchange.result(of: "hello", ["client=thrum rehearse"])
            guard greeting.experience == piece else {
                throw failure("thrumd plays \(greeting.experience): expected \(piece), as in thrumd --experience \(piece)", Exit.data)
            }
            let plan = RehearsalPlan(try await exchange.result(of: "rehearsal.list"), chimes: try await exchange.result(of: "chime.list"),
                                     haptics: try await exchange.result(of: "haptic.list"),
                                     textures: try await exchange.result(of: "texture.list"), of: declaration)
            let steps: [RehearsalPlan.Step]
            do throws(Fault) {
                steps = try plan.steps(only: only)
            } catch {
                throw failure("--only: expected \(error.expected), found \(error.found ?? "nothing")", .validationFailure)
            }
            if list {
                for step in steps { print(step.words) }
                return
            }
            try await rehearse(steps, exchange)
        }
    }

    private func rehearse(_ steps: [RehearsalPlan.Step], _ exchange: ControlClient.Exchange) async throws {
        var keyboard = Keyboard()
        keyboard.open()
        defer { keyboard.close() }
        let _: Receipt = try await exchange.result(of: "journal.mark", ["text=a rehearsal of \(piece) begins"])
        let clock = ContinuousClock()
        var next = clock.now
        for (index, step) in steps.enumerated() {
            try StandardOutput.write(line: Array(RehearsalPlan.line(index + 1, of: steps.count, step).utf8))
            let _: Receipt = try await exchange.result(of: step.begin.method, step.begin.pairs)
            next += .seconds(every)
            while clock.now < next, !Interruption.hasCome, !keyboard.keys().contains(UInt8(ascii: "q")) {
                try await clock.sleep(until: min(next, clock.now + .milliseconds(50)))
            }
            if let end = step.end { let _: Receipt = try await exchange.result(of: end.method, end.pairs) }
            // The wait is over early only when the user wants the rehearsal to end.
            if clock.now < next { break }
        }
        let _: Receipt = try await exchange.result(of: "rehearse")
        let _: Receipt = try await exchange.result(of: "journal.mark", ["text=the rehearsal is over"])
    }
}

/// The steps of a rehearsal: the piece's announcements, then the sounds, patterns and textures that the piece wants from a theme.
struct RehearsalPlan {
    struct Request: Equatable {
        var method: String
        var pairs: [String]
    }

    struct Step: Equatable {
        /// The topic of the announcement that the step shows. Where the step plays a sound, a pattern or a texture, `chime`, `haptic` or
        /// `texture`.
        var topic: String
        var name: String
        var begin: Request
        /// The request that ends what `begin` started, for instance a texture; nil where it ends by itself.
        var end: Request?

        var words: String { "\(topic)/\(name)" }
    }

    private let steps: [Step]

    /// Makes a step for each scene of `rehearsal`, and one for each sound, pattern and texture. Of the theme's `chimes`, `haptics` and
    /// `textures` only those that `piece` plays are used, because a theme also serves other pieces.
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

    /// Returns all steps, or those that `only` selects by `TOPIC` or `TOPIC/NAME`. Throws for a word that selects none.
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

    /// Returns a line for people, for instance `12 of 43  unlock, rare`.
    static func line(_ number: Int, of count: Int, _ step: Step) -> String {
        "\(number)".alignedRight(to: "\(count)".count) + " of \(count)  \(step.topic), \(step.name)"
    }
}
