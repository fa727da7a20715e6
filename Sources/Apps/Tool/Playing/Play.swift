import ArgumentParser
import Fields

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a scenario live: a visitor written down as text.",
        discussion: """
            A scenario has one request a line, as `thrum send` takes them, and between them how long to wait:

              touch phase=began x=0.5 y=0.8
              400ms
              swipe direction=up velocity=2
              journal.mark text="the door opens"
              touch phase=ended
              2s

            Values with spaces are between quotes, " or '. A # begins a comment. Times count from the start, so that what one \
            line takes does not delay the next. The connection lasts as long as the scenario; what is held then is let go.

            EXAMPLES
              thrum play visitor.scenario
              thrum play examples/colorscroller.scenario --wait 5
            """)

    @Argument(help: "The scenario, a text file.", completion: .file(extensions: ["scenario"]))
    var scenario: FileArgument

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let bytes: [UInt8]
        do {
            bytes = try readAll(scenario.path)
        } catch {
            throw failure("\(scenario): \(error)", Exit.noInput)
        }
        let played: Scenario
        do {
            played = try Scenario(String(decoding: bytes, as: UTF8.self), name: scenario.description)
        } catch let fault as Fault {
            throw failure("\(fault)", Exit.data)
        }
        try await daemon.converse { [scenario] exchange in
            let bar = ProgressBar("playing")
            let clock = ContinuousClock()
            let start = clock.now
            for (index, step) in played.steps.enumerated() {
                try await clock.sleep(until: start + step.at)
                _ = try await exchange.ask(try step.message.line(id: index), blame: "\(scenario):\(step.line): ")
                bar.show(step.at / max(played.duration, .milliseconds(1)))
            }
            try await clock.sleep(until: start + played.duration)
        }
    }
}

/// A scripted visitor, as a text file: requests, one on each line, and between them times to wait (`500ms`, `2s`). `#` begins a comment.
/// Values with spaces are quoted (`QuotedWords`).
struct Scenario {
    struct Step {
        /// The number of the step's line in the file, from 1.
        var line: Int
        /// The time from the scenario's start to this step.
        var at: Duration
        var message: Message
    }

    private(set) var steps: [Step] = []
    /// The length of the scenario, including the wait after the last step.
    private(set) var duration = Duration.zero

    /// Reads a scenario. Throws a `Fault` whose field is `name` and the line's number.
    init(_ text: String, name: String) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                let words = try QuotedWords(line).words
                guard let first = words.first else { continue }
                if first.first?.isNumber == true {
                    guard words.count == 1, let wait = Self.wait(first) else {
                        throw Fault(field: "", expected: "a time such as 500ms or 2s", found: "\"\(first)\"")
                    }
                    duration += wait
                } else {
                    steps.append(Step(line: index + 1, at: duration, message: try Message(method: first, pairs: words.dropFirst())))
                }
            } catch let fault as Fault {
                let location = "\(name):\(index + 1)" + (fault.field.isEmpty ? "" : ": \(fault.field)")
                throw Fault(field: location, expected: fault.expected, found: fault.found)
            }
        }
    }

    private static func wait(_ word: String) -> Duration? {
        if word.hasSuffix("ms"), let value = Double(word.dropLast(2)), (0...86_400_000).contains(value) {
            .milliseconds(value)
        } else if word.hasSuffix("s"), let value = Double(word.dropLast()), (0...86_400).contains(value) {
            .seconds(value)
        } else {
            nil
        }
    }
}

/// The words of a line of a scenario. Spaces separate them, and `#` begins a comment, but not between quotes.
///
/// Double quotes are JSON's own, and remain in the word: a quoted value is text. Single quotes are as in a shell: the text between them is
/// taken literally. They open only at the start of a word or right after its `=`, so that an apostrophe inside a word is an apostrophe.
struct QuotedWords {
    private(set) var words: [String] = []

    /// Splits a line into words. Throws `Fault` for quotes that are not closed.
    init(_ line: some StringProtocol) throws(Fault) {
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for character in line.unicodeScalars {
            if let open = quote {
                if open == "'", character == "'" {
                    quote = nil
                } else {
                    word = (word ?? "") + String(character)
                    if open == "\"", character == "\"", !isEscaped { quote = nil }
                }
                isEscaped = character == "\\" && !isEscaped
            } else if character.properties.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == "#" {
                break
            } else if character == "'", word == nil || word?.unicodeScalars.last == "=" {
                quote = character
                word = word ?? ""
            } else {
                word = (word ?? "") + String(character)
                if character == "\"" { quote = character }
                isEscaped = false
            }
        }
        if let quote { throw Fault(field: word ?? "", expected: "a \(quote) that closes this one", found: "none") }
        if let word { words.append(word) }
    }
}
