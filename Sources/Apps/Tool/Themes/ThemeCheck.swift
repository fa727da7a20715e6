import ArgumentParser
import Fields
import Journal
import JournalFile
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import YAML

extension ThemeCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say whether files of themes are good, and what in them is odd.",
            discussion: """
                Exit status 0 if all are good, odd or not; 78 if one is wrong; 66 if one cannot be read.

                EXAMPLES
                  thrum theme check mine
                  thrum theme check glass.yaml
                  thrum theme check ~/.config/thrum/themes/*.yaml
                """)

        @Argument(help: ArgumentHelp("Files, or names of themes.", valueName: "name|file.yaml"), completion: Completions.themes)
        var sources: [FileArgument]

        @OptionGroup var library: Library

        func run() throws {
            let known = sources.contains { !$0.word.contains("/") } ? library.read() : nil
            var status: ExitCode?
            for word in sources {
                guard let file = known?.file(of: word) ?? (known?[word.word] == nil ? word : nil) else {
                    print("\(word): good: built in")
                    continue
                }
                do {
                    let theme = try CheckedTheme(file)
                    theme.warn()
                    print("\(file): good: \(theme.file.theme.name)")
                } catch let problem as FileFault {
                    status = failure("\(problem)", Exit.settings)
                } catch Errno.noSuchFileOrDirectory where known != nil && word.isName {
                    let unknown = failure(known?.complaint(about: word) ?? "", Exit.noInput)
                    status = status ?? unknown
                } catch let errno as Errno {
                    let unreadable = failure("\(file): \(errno)", Exit.noInput)
                    status = status ?? unreadable
                }
            }
            if let status { throw status }
        }
    }
}

extension ThemeLibrary {
    /// Returns the file of the theme that somebody calls `word`; nil where the theme has none. A bad file comes first: a good one of
    /// another folder may stand in for it. A file can be told from a name by its folder.
    fileprivate func file(of word: FileArgument) -> FileArgument? {
        guard !word.word.contains("/") else { return nil }
        let bad = problems.first { FilePath($0.file).stem == word.word }?.file
        return (bad ?? self[word.word]?.file?.string).map { FileArgument(argument: $0) }
    }
}

/// A theme's file that is good.
struct CheckedTheme {
    let file: ThemeFile
    /// The oddities of the theme, a line each with its place.
    private let warnings: [String]

    /// Reads a theme's file. Throws `FileFault` for what is wrong with it, and `Errno` where it cannot be read.
    init(_ argument: FileArgument) throws {
        var warnings: [String] = []
        file = try ThemeFile(argument.path) { path in
            let ahap = try PatternFile.read(path)
            let strange = ahap.ignored.count
            if strange > 0 { warnings.append("\(path): warning: keys passed over: \(strange); thrum haptic names them") }
            return ahap.pattern
        }
        // By their places; of those at one place in their own order.
        let oddities = file.theme.oddities.map { [file] in (line: file.line(of: $0.field), oddity: $0) }.enumerated().sorted { a, b in
            (a.element.line ?? .max, a.offset) < (b.element.line ?? .max, b.offset)
        }
        for (line, oddity) in oddities.map(\.element) {
            warnings.append("\(argument)" + (line.map { ":\($0)" } ?? "") + ": warning: \(oddity.field): \(oddity.words)")
        }
        for piece in Pieces.current.all.declarations {
            guard let lacking = piece.lacking(in: file.theme) else { continue }
            warnings.append("\(argument): warning: \(piece.name) does not start with this theme, because it asks for \(lacking)")
        }
        self.warnings = warnings
        try checkRoom()
    }

    func warn() { warnings.forEach { Tool.warn($0) } }

    /// Throws where a journal has no room for the theme: every journal begins with its theme.
    private func checkRoom() throws {
        let header = JournalHeader(sampleRate: .standard, seed: 0, experience: "direct", started: "now", theme: file.theme)
        let line = JournalLine.encode(.header(header)).dropLast()
        guard line.count < JournalScan.longestLine else {
            let fault = Fault(field: "", expected: "a theme that a journal has room for, 1 MiB", found: "\(line.count) bytes")
            throw FileFault(file: file.path.string, fault: fault)
        }
    }
}
