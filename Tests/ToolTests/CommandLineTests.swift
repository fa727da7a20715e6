import ArgumentParser
import Experience
import Foundation
import Registry
import Testing

@testable import Tool

/// What all commands of `thrum` have in common, by their own help.
@Suite struct CommandGrammarTests {
    private struct Help: Decodable {
        struct Command: Decodable {
            var commandName: String
            var abstract: String?
            var discussion: String?
            var subcommands: [Command]?
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var valueName: String?
            var abstract: String?
            var shouldDisplay: Bool
        }

        var command: Command
    }

    /// Commands that have none of their own, by their whole names.
    private let commands: [(path: [String], command: Help.Command)]

    init() throws {
        let text = Pieces.$current.withValue(Pieces(Registry.pieces)) { Thrum._dumpHelp() }
        let help = try JSONDecoder().decode(Help.self, from: Data(text.utf8))
        func leaves(_ command: Help.Command, _ path: [String]) -> [(path: [String], command: Help.Command)] {
            let inner = (command.subcommands ?? []).filter { $0.commandName != "help" }
            return inner.isEmpty ? [(path, command)] : inner.flatMap { leaves($0, path + [$0.commandName]) }
        }
        commands = leaves(help.command, [])
    }

    /// The examples of a command's help, without what is the shell's.
    private func examples(_ command: Help.Command) throws -> [[String]] {
        let lines = (command.discussion ?? "").components(separatedBy: "EXAMPLES\n").dropFirst().joined().split(separator: "\n")
        return try lines.map { line in
            let own = line.trimmingCharacters(in: .whitespaces).components(separatedBy: "   ")[0]
            let words = try QuotedWords(own).words.prefix { !["|", "(", "&&"].contains($0) && !$0.hasPrefix(">") }
            return words.map { $0.replacing("\"", with: "") }
        }
    }

    @Test func `every command has examples, and its own parser takes each of them`() throws {
        #expect(commands.count >= 40)
        for (path, command) in commands {
            let examples = try examples(command)
            #expect(!examples.isEmpty, "\(path)")
            for example in examples {
                #expect(Array(example.prefix(path.count + 1)) == ["thrum"] + path, "\(example)")
                #expect(throws: Never.self, "\(example)") {
                    try Pieces.$current.withValue(Pieces(Registry.pieces)) { _ = try Thrum.parseAsRoot(Array(example.dropFirst())) }
                }
            }
        }
    }

    /// The parser would find the name by looking through all types of the program, which takes longer than all else at a start.
    @Test func `every command says its own name`() {
        func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [command] + command.configuration.subcommands.flatMap(commands)
        }
        let all = Pieces.$current.withValue(Pieces(Registry.pieces)) { commands(Thrum.self) }
        #expect(all.count > 50)
        for command in all { #expect(command.configuration.commandName != nil, "\(command)") }
    }

    @Test func `an option means the same in every command`() {
        var known: [String: (kind: String, path: [String])] = [:]
        for (path, command) in commands {
            for argument in command.arguments ?? [] {
                for name in argument.names ?? [] {
                    let before = known[name.name]
                    #expect(before == nil || before?.kind == argument.kind, "\(name.name) in \(path) and \(before?.path ?? [])")
                    known[name.name] = (argument.kind, path)
                }
            }
        }
        #expect(known["svg"] == nil && known["picture"] != nil, "pictures have one name")
    }

    @Test func `options that commands share come last, in one order`() {
        let shared = ["rules", "config", "server", "socket"]
        for (path, command) in commands {
            let names = (command.arguments ?? []).compactMap { $0.names?.first { $0.kind == "long" }?.name }
            #expect(names.filter(shared.contains) == shared.filter(names.contains), "\(path)")
        }
    }

    @Test func `an abstract is a sentence`() {
        for (path, command) in commands {
            #expect(command.abstract?.hasSuffix(".") == true, "\(path)")
            for argument in command.arguments ?? [] where argument.shouldDisplay && argument.valueName != "help" {
                #expect(argument.abstract?.isEmpty == false, "\(path) \(argument.names?.first?.name ?? argument.valueName ?? "")")
            }
        }
    }

    @Test(arguments: [
        (["statsu"], #"thrum has no command "statsu" (did you mean status?); thrum --help lists them"#),
        (["sessions", "lst"], #"thrum sessions has no command "lst" (did you mean list?); thrum sessions --help lists them"#),
        (["help", "rendr"], #"thrum has no command "rendr" (did you mean render?); thrum --help lists them"#),
        (["frobnicate", "--help"], #"thrum has no command "frobnicate"; thrum --help lists them"#),
    ])
    func `a command that there is not is told, with what was meant`(words: [String], complaint: String) {
        #expect(CommandGuess.complaint(about: words, of: Thrum.self) == complaint)
    }

    @Test(arguments: [[], ["--version"], ["status"], ["status", "nonsense"], ["help"], ["help", "sessions", "list"], ["theme", "--help"],
                      ["---completion", "send"]])
    func `what may be right is left to the parser`(words: [String]) {
        #expect(CommandGuess.complaint(about: words, of: Thrum.self) == nil)
    }

    @Test func `the scripts for shells complete the names of commands after help`() {
        let bash = CompletionScript.text(of: Thrum.self, for: .bash)
        #expect(bash.contains("_thrum_help() {\n    __thrum_add_completions -W 'demo\nrender\n"))
        #expect(CompletionScript.text(of: Thrum.self, for: .zsh).contains("'*:subcommands:(demo render "))
        #expect(CompletionScript.text(of: Thrum.self, for: .fish).contains("\"thrum help\" -ge 1' -fka 'demo render "))
        #expect(CompletionScript.shell(of: ["--generate-completion-script", "zsh"]) == .zsh)
        #expect(CompletionScript.shell(of: ["--generate-completion-script=bash"]) == .bash)
        #expect(CompletionScript.shell(of: ["--generate-completion-script", "sh"]) == nil)
        #expect(CompletionScript.shell(of: ["status", "--json"]) == nil)
    }
}

@Suite struct CommandWordsTests {
    @Test(arguments: [
        Array("plain.jsonl".utf8), Array("häßlich 🎈".utf8), [0xFF], [0x61, 0xE4, 0x62], [0xC3], [0xF0, 0x9F, 0x8E],
        // What stands for a byte itself, U+10FF41 in UTF-8; and an encoded surrogate.
        [0xF4, 0x8F, 0xBD, 0x81], [0xED, 0xA0, 0x80], [],
    ])
    func `any bytes are text from which the same bytes are made again`(bytes: [UInt8]) {
        #expect(CommandWords.bytes(of: CommandWords.text(of: bytes)) == bytes)
    }

    @Test func `text stays what it is, and for people what is no text is repaired`() {
        #expect(CommandWords.text(of: Array("häßlich".utf8)) == "häßlich")
        #expect(CommandWords.repaired(CommandWords.text(of: [0x61, 0xE4, 0x62])) == "a\u{FFFD}b")
    }
}
