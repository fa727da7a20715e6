import ArgumentParser
import FoundationEssentials

/// The script by which a shell completes command lines. The argument parser's own completes no names of commands after `thrum help`.
enum CompletionScript {
    /// The shell that `words` ask a script for; nil where they ask for something else.
    static func shell(of words: [String]) -> CompletionShell? {
        let option = "--generate-completion-script"
        if words.count == 2, words[0] == option { return CompletionShell(rawValue: words[1]) }
        guard words.count == 1, words[0].hasPrefix(option + "=") else { return nil }
        return CompletionShell(rawValue: String(words[0].dropFirst(option.count + 1)))
    }

    static func text(of root: any ParsableCommand.Type, for shell: CompletionShell) -> String {
        let script = root.completionScript(for: shell)
        let program = root._commandName
        let commands = root.configuration.subcommands.map { $0._commandName }
        let names = commands.joined(separator: " ")
        switch shell {
        case .bash:
            let start = "_\(program)_help() {"
            return script.replacing(start, with: "\(start)\n    __\(program)_add_completions -W '\(commands.joined(separator: "\n"))'",
                                    maxReplacements: 1)
        case .zsh: return script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'", maxReplacements: 1)
        case .fish:
            let condition = #"__\#(program)_should_offer_completions_for_positional "\#(program) help" -ge 1"#
            return script + "\ncomplete -c '\(program)' -n '\(condition)' -fka '\(names)'\n"
        default: return script
        }
    }
}
