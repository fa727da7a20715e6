import ArgumentParser
import Journal
import Offline
import SoundFile
import SystemPackage

struct Picture: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a session: its pitch, level and chimes over time, as an SVG.")

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var session: SessionArgument

    @Option(name: .shortAndLong, help: "The SVG file; - for standard output. (default: the session's name with .svg)")
    var output: FileArgument?

    @OptionGroup var rules: RulesOption

    @OptionGroup var folder: SessionsOption

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    func run() throws {
        let session = try self.session.file(in: folder.path)
        guard let path = output?.path ?? session.output(extension: "svg") else {
            throw failure("--output is needed, because \(session) has no name", .validationFailure)
        }
        let outline: SessionOutline
        do {
            outline = try SessionOutline(session.path, by: rules.forCues, columns: OutlineDrawing.columns, Pieces.current.all)
        } catch let fault as JournalFault {
            throw failure(fault.description(file: session.name), Exit.data)
        } catch let errno as Errno {
            throw failure("\(session): \(errno)", Exit.noInput)
        }
        if let line = outline.cutLine { warn("\(session):\(line): warning: the session was cut off here") }
        if let line = outline.changedLine { warn(JournalIntegrity.warning(session, line: line)) }
        let drawing = OutlineDrawing(outline: outline, title: escaped(session.title))
        do {
            if output?.isStandardStream == true {
                try FileDescriptor.standardOutput.writeAll(drawing.svg.utf8)
            } else {
                try create(path, from: session.path, replaces: force) { _ = try $0.writeAll(drawing.svg.utf8) }
                print(path.string)
            }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }
}
