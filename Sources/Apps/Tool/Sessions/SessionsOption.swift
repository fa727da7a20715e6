import ArgumentParser
import FoundationEssentials
import JournalFile
import SystemPackage

/// Where recorded sessions are.
struct SessionsOption: ParsableArguments {
    @Option(help: "Directory of journals. (default: $XDG_STATE_HOME/thrum/sessions)", completion: .directory)
    var sessions: FileArgument?

    /// Nil where neither the option nor the environment says.
    var path: FilePath? { sessions?.path ?? Self.standard }

    static var standard: FilePath? { SessionFolder.standard(ProcessInfo.processInfo.environment) }

    /// Every one, the oldest first. A folder that nobody named and that is not there yet has none.
    func read() throws -> [SessionFolder.Session] { try Self.read(path, isNamed: sessions != nil) }

    static func read(_ folder: FilePath?, isNamed: Bool) throws -> [SessionFolder.Session] {
        guard let folder else {
            throw failure("--sessions is needed, because neither XDG_STATE_HOME nor HOME is set", Exit.noInput)
        }
        do {
            return try SessionFolder(folder).sessions()
        } catch Errno.noSuchFileOrDirectory where !isNamed {
            // The first session makes it.
            return []
        } catch let errno as Errno {
            throw failure("\(folder): \(errno)", Exit.noInput)
        }
    }
}
