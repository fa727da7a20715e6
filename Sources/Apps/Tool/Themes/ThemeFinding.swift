import Fields
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import YAML

extension ThemeCommand.Library {
    /// The theme that somebody calls `word`, and its file if it has one. A name comes first: a file can be told from it by its folder.
    /// Fails with what is wrong, or with the names that there are.
    func find(_ word: FileArgument) throws -> (theme: Theme, file: FilePath?) {
        let isPath = word.word.contains("/")
        let library = isPath ? nil : read()
        if let entry = library?[word.word] { return (entry.theme, entry.file) }
        let path = word.path
        do {
            return (try ThemeFile(path) { try PatternFile.read($0).pattern }.theme, path)
        } catch let problem as FileFault {
            throw failure("\(problem)", Exit.settings)
        } catch Errno.noSuchFileOrDirectory where word.isName {
            throw failure(library?.complaint(about: word) ?? "", Exit.noInput)
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.noInput)
        }
    }

    /// A theme that `find` has found, as its file has it; nil where it has none.
    func written(_ file: FilePath?) throws -> ThemeFile? { try file.map { try ThemeFile($0) { try PatternFile.read($0).pattern } } }
}

extension FileArgument {
    /// Whether it can be a theme's name, and is no path.
    var isName: Bool { !ThemeLibrary.isFile(word) }
}

extension ThemeLibrary {
    /// That it has no theme called so, and what it has.
    func complaint(about word: FileArgument) -> String {
        "\(word): expected one of \(names.joined(separator: ", ")), or a file" + Spelling.hint(for: word.word, among: names)
            + problems.map { "\n\($0)" }.joined()
    }
}
