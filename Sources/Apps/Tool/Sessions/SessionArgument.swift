import ArgumentParser
import Fields
import Glibc
import Journal
import JournalFile
import SystemPackage

/// A recorded session on the command line: a journal's file, `-` for standard input, `newest`, `newest-3`, or the name of a session in the
/// directory of sessions.
struct SessionArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
    static let words = "A journal (.jsonl), - for standard input, newest, newest-1 for the one before it, or a session's name."
    static let help = ArgumentHelp(stringLiteral: words)
    static let completion = Completions.sessions

    private let file: FileArgument

    init(argument: String) { file = FileArgument(argument: argument) }

    var description: String { file.description }

    /// Returns the session's journal. `folder` is the directory of sessions, if there is one; a file is preferred to a session of the same
    /// name there. Throws an exit status if there is no such session, or if the path is that of a folder or, unless `mayBeEmpty` is true,
    /// of an empty file.
    func file(in folder: FilePath?, mayBeEmpty: Bool = false) throws -> SessionFile {
        let session = try found(in: folder)
        var info = stat()
        guard session.path.withPlatformString({ stat($0, &info) }) == 0 else { return session }
        if info.st_mode & S_IFMT == S_IFDIR {
            throw failure("\(session): expected a journal, found a folder; \(session)/*.jsonl are the journals in it, and --sessions "
                + "\(session) has newest and names mean those", Exit.noInput)
        }
        if !mayBeEmpty, info.st_mode & S_IFMT == S_IFREG, info.st_size == 0 {
            throw failure("\(session): expected a journal, found an empty file", Exit.data)
        }
        return session
    }

    private func found(in folder: FilePath?) throws -> SessionFile {
        if file.isStandardStream { return SessionFile(path: try seekable(.standardInput), name: "standard input", isFound: true) }
        if let stepsBack = Self.stepsBack(of: file.word) { return try Self.newest(stepsBack, in: folder) }
        if Self.exists(file.path) {
            let isRegular = Self.isRegular(file.path)
            let path = isRegular ? file.path : try seekable(try FileDescriptor.open(file.path, .readOnly))
            return SessionFile(path: path, name: description, isFound: !isRegular)
        }
        if let folder, file.path.components.count == 1, !file.path.isAbsolute {
            for name in [description, description + ".jsonl"] where Self.exists(folder.appending(name)) {
                return SessionFile(path: folder.appending(name), name: folder.appending(name).string, isFound: true)
            }
            let names = (try? SessionFolder(folder).sessions())?.compactMap(\.path.stem) ?? []
            let hint = Spelling.hint(for: description, among: names + ["newest"])
            throw failure("\(self): No such file or directory, nor a session of that name in \(folder)\(hint)", Exit.noInput)
        }
        return SessionFile(path: file.path, name: description, isFound: false)
    }

    /// Returns the number of sessions that are newer than the one that `word` names: 0 for `newest`, 3 for `newest-3`. Nil where `word` is
    /// neither of this kind.
    static func stepsBack(of word: String) -> Int? {
        if word == "newest" { return 0 }
        guard let number = word.wholeMatch(of: /newest-([1-9][0-9]{0,8})/) else { return nil }
        return Int(number.1)
    }

    private static func newest(_ stepsBack: Int, in folder: FilePath?) throws -> SessionFile {
        let sessions = try SessionsOption.read(folder, isNamed: folder != SessionsOption.standard)
        guard stepsBack < sessions.count else {
            throw failure(sessions.isEmpty ? "there is no session yet"
                : sessions.count == 1 ? "newest-\(stepsBack): expected newest, because there is one session only"
                : "newest-\(stepsBack): expected at most newest-\(sessions.count - 1), because there are \(sessions.count) sessions",
                Exit.noInput)
        }
        let path = sessions[sessions.count - 1 - stepsBack].path
        return SessionFile(path: path, name: path.string, isFound: true)
    }

    private static func exists(_ path: FilePath) -> Bool { path.withPlatformString { access($0, F_OK) } == 0 }

    private static func isRegular(_ path: FilePath) -> Bool {
        var info = stat()
        return path.withPlatformString { stat($0, &info) } != 0 || [S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT)
    }

    /// Returns a path by which the contents of `stream` can be read more than once. The contents of a pipe are copied to a temporary file
    /// without a name, which exists while the program runs. Throws an exit status.
    private func seekable(_ stream: FileDescriptor) throws -> FilePath {
        var info = stat()
        if fstat(stream.rawValue, &info) == 0, info.st_mode & S_IFMT == S_IFREG { return FilePath("/proc/self/fd/\(stream.rawValue)") }
        do {
            let spool = try FileDescriptor.open("/var/tmp", .readWrite, options: .init(rawValue: O_DIRECTORY | 0o20_000_000),  // O_TMPFILE
                                                permissions: .ownerReadWrite)
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            defer { block.deallocate() }
            while case let count = try stream.read(into: block), count > 0 { try spool.writeAll(block[..<count]) }
            return FilePath("/proc/self/fd/\(spool.rawValue)")
        } catch let errno as Errno {
            throw failure("\(file.isStandardStream ? "standard input" : description): \(errno)", Exit.noInput)
        }
    }
}

extension [SessionArgument] {
    /// Returns the journals of the sessions. A session that cannot be found is reported on standard error and left out; `missing` is then
    /// the exit status for the command.
    func found(in folder: FilePath?) throws -> (sessions: [SessionFile], missing: ExitCode?) {
        var (sessions, missing): ([SessionFile], ExitCode?) = ([], nil)
        for argument in self {
            do {
                sessions.append(try argument.file(in: folder))
            } catch let status as ExitCode {
                missing = missing ?? status
            }
        }
        return (sessions, missing)
    }
}

/// The journal of a session that was given on the command line. It can be read more than once.
struct SessionFile: Hashable, Sendable, CustomStringConvertible {
    let path: FilePath
    /// The session's name for people.
    let name: String
    /// Whether the journal was looked up by the session's name, or came through a pipe. If so, output files are not put beside it.
    let isFound: Bool

    var description: String { name }

    /// The title of the session's picture: its name without the directories.
    var title: String { FilePath(name).lastComponent?.string ?? name }

    /// Whether the session has a name of its own. One from standard input or a pipe has none.
    var hasName: Bool { !isFound || path.extension == "jsonl" }

    /// The session's name in tables: the journal's name without `.jsonl`, or `-` for standard input and pipes.
    var session: String { hasName ? path.stem ?? name : "-" }

    /// Returns the default path of a file that is made from the session: beside a journal that was given as a file, or in the current
    /// directory for a journal that was looked up. Nil for a session without a name. In the file's name, `part` follows the session's name;
    /// it is empty for the whole session.
    func output(extension: String, part: String = "") -> FilePath? {
        guard let name = path.lastComponent, hasName else { return nil }
        let whole = isFound ? FilePath(root: nil, [name]) : path
        guard !part.isEmpty else { return whole.renamed(extension: `extension`) }
        return whole.removingLastComponent().appending((whole.stem ?? "") + part).appending(extension: `extension`)
    }
}

extension SessionFile {
    /// Runs `body`, which reads the session. A fault of the journal, of the part that was asked for, or of the file is printed and becomes
    /// an exit status.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as JournalFault {
            throw failure(fault.description(file: name), Exit.data)
        } catch let fault as Fault {
            throw failure("\(self): \(fault)", .validationFailure)
        } catch let errno as Errno {
            throw failure("\(self): \(errno)", Exit.noInput)
        }
    }
}

extension [SessionFile] {
    /// Returns the path of an output file in `directory` for each session, with `part` after the session's name. Makes the directory.
    /// Throws an exit status for a session without a name, and for two sessions whose files would be the same; `verb` says in that error
    /// what was to be done with the session.
    func outputs(into directory: FilePath, extension: String, part: String,
                 to verb: String) throws -> [(session: SessionFile, path: FilePath)] {
        var owners: [FilePath: SessionFile] = [:]
        let outputs = try map { session in
            guard let name = session.output(extension: `extension`, part: part)?.lastComponent else {
                throw failure("\(session): expected a session with a name, to \(verb) it into \(directory)", .validationFailure)
            }
            let path = directory.appending(name)
            if let other = owners.updateValue(session, forKey: path) {
                throw failure("\(path): expected one session of that name, found \(other) and \(session)", Exit.cannotCreate)
            }
            return (session, path)
        }
        try makeDirectory(directory)
        return outputs
    }
}

extension FilePath {
    /// Returns the path with the extension appended, whether or not the name contains points already.
    fileprivate func appending(extension: String) -> FilePath { FilePath(string + "." + `extension`) }

    /// Returns the path with another extension in place of its own.
    func renamed(extension: String) -> FilePath {
        var path = self
        path.extension = `extension`
        return path
    }
}
