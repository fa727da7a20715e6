import ArgumentParser
import Experience
import FoundationEssentials
import JournalFile
import PatternFile
import Signals
import SystemPackage
import ThemeFile

/// Completes arguments whose values only a run of the program knows, such as the names of recorded sessions.
enum Completions {
    /// Completes `newest`, the names of recorded sessions, and the names of journal files.
    static let sessions = CompletionKind.custom { _, _, prefix in
        let recorded = SessionsOption.standard.flatMap { try? SessionFolder($0).sessions() } ?? []
        return ["newest"] + recorded.compactMap(\.path.stem) + files(after: prefix, withExtension: "jsonl")
    }

    /// Completes the names of themes, and the names of theme files.
    static let themes = CompletionKind.custom { _, _, prefix in
        let library = ThemeLibrary(ThemeLibrary.folders(ProcessInfo.processInfo.environment)) { try PatternFile.read($0).pattern }
        return library.names + files(after: prefix, withExtension: "yaml")
    }

    /// Completes the names of the pieces' own models, and classifiers' files.
    static let models = CompletionKind.custom { _, _, prefix in
        Pieces.current.all.declarations.flatMap { $0.prediction?.models ?? [] } + files(after: prefix, withExtension: "mlmodel")
    }

    /// Completes the names of the standard theme's chimes. Most other themes have chimes of the same names.
    static let chimes = CompletionKind.list(Theme.standard.chimes.keys.sorted())
    /// Completes the names of the standard theme's textures. Most other themes have textures of the same names.
    static let textures = CompletionKind.list(Theme.standard.textures.keys.sorted())

    /// Completes `name=value` for the parameters of the method that stands on the command line. For a parameter whose possible values are
    /// not known, completes `name=` only.
    static let parameters = CompletionKind.custom { words, index, _ in
        guard let method = words.dropFirst(2).first else { return [] }
        let pairs = Pieces.current.methods.parameters(of: method).flatMap { parameter in
            let values = values(of: parameter.name, for: method, parameter.kind)
            return values.isEmpty ? [parameter.name + "="] : values.map { "\(parameter.name)=\($0)" }
        }
        // Bash passes the equals sign as a word of its own, and wants only what follows the sign.
        let isAfterSign = words.indices.contains(index) && (words[index] == "=" || index > 0 && words[index - 1] == "=")
        guard isAfterSign, let name = words[..<index].last(where: { $0 != "=" }) else { return pairs }
        return pairs.filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Completes the name of a knob and `=`, for the knobs of every piece.
    static let knobs = CompletionKind.custom { _, _, _ in Set(allKnobs).sorted().map { $0 + "=" } }

    private static var allKnobs: [String] { Pieces.current.all.declarations.flatMap { $0.knobs.map(\.name) } }

    private static func values(of parameter: String, for method: String, _ kind: ParameterKind) -> [String] {
        switch (method, parameter, kind) {
        case (_, _, .choice(let choices)): choices
        case (_, _, .flag): ["true", "false"]
        case ("chime.play", "name", _): Theme.standard.chimes.keys.sorted()
        case ("haptic.play", "name", _): Theme.standard.haptics.keys.sorted()
        case ("texture.set", "name", _): Theme.standard.textures.keys.sorted()
        case ("param.set", "name", _), ("param.get", "name", _): Set(allKnobs).sorted()
        default: []
        }
    }

    /// Returns the files with the extension `wanted` in the directory at the beginning of `prefix`, and that directory's subdirectories.
    private static func files(after prefix: String, withExtension wanted: String) -> [String] {
        let directory = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory)) ?? []
        return names.sorted().compactMap { name in
            let path = directory + name
            var isDirectory = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
            return isDirectory ? path + "/" : FilePath(name).extension == wanted ? path : nil
        }
    }
}

/// The script by which a shell completes command lines. The argument parser's own script completes no command names after `thrum help`.
enum CompletionScript {
    /// Returns the shell for which `words` request a completion script; nil where they do not request one.
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
