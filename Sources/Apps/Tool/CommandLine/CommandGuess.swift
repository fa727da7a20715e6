import ArgumentParser
import Fields

/// A word on the command line where a command's name should be. The argument parser says of it only that it is unexpected.
enum CommandGuess {
    /// What is wrong with `words`, those after the program's name; nil where they name a command, or are for the parser.
    static func complaint(about words: [String], of root: any ParsableCommand.Type) -> String? {
        var command = root
        var path = root._commandName
        // `help` takes the names of commands, too.
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                let hint = Spelling.hint(for: word, among: commands.map { $0._commandName })
                return "\(path) has no command \"\(word)\"\(hint); \(path) --help lists them"
            }
            command = next
            path += " " + word
        }
        return nil
    }
}
