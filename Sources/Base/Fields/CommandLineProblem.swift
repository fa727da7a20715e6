/// What a program says of a command line that it cannot use. The argument parser has a style of its own; this has it like all other errors.
public enum CommandLineProblem {
    /// `message` is the parser's: `Error: `, maybe the argument's help, `Usage: ` and where to read more. Returns what is wrong, the usage,
    /// and where to read more, a line each, for the program's name before them.
    public static func lines(_ message: String) -> [String] {
        var isHelp = false
        return message.split(separator: "\n").compactMap { line in
            for (prefix, words) in [("Error: ", ""), ("Usage: ", "usage: ")] where line.hasPrefix(prefix) {
                isHelp = false
                return words + line.dropFirst(prefix.count)
            }
            // What the argument is for is in --help, where there is room for it.
            isHelp = isHelp || line.hasPrefix("Help: ")
            if isHelp { return nil }
            guard let more = line.wholeMatch(of: /\s*See '(.+)' for more information\./) else { return String(line) }
            return "see \(more.1)"
        }
    }
}
