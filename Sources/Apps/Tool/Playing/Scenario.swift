import Fields
import Signals

/// A visitor as text: requests, one a line, and between them how long to wait (`500ms`, `2s`). `#` begins a comment.
/// Values with spaces are quoted (`QuotedWords`).
struct Scenario {
    struct Step {
        /// In the file, from 1.
        var line: Int
        /// From the scenario's start.
        var at: Duration
        var message: Message
    }

    private(set) var steps: [Step] = []
    /// Including the wait after the last step.
    private(set) var duration = Duration.zero

    /// Throws `Fault` whose field is `name` and the line's number.
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
                let place = "\(name):\(index + 1)" + (fault.field.isEmpty ? "" : ": \(fault.field)")
                throw Fault(field: place, expected: fault.expected, found: fault.found)
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
