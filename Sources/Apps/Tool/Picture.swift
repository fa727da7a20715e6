import ArgumentParser
import Journal
import Offline
import SoundFile
import SystemPackage

struct Picture: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a session: its pitch, level and chimes over time, as an SVG.")

    @Argument(help: "The journal, a .jsonl file.", completion: .file(extensions: ["jsonl"]))
    var session: FileArgument

    @Option(name: .shortAndLong, help: "The SVG file; - for standard output. (default: the journal's name with .svg)")
    var output: FileArgument?

    @OptionGroup var rules: RulesOption

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    func run() throws {
        let journal = session.path
        let path = output?.path ?? journal.renamed(extension: "svg")
        let outline: SessionOutline
        do {
            outline = try SessionOutline(journal, by: rules.forCues, columns: OutlineDrawing.columns, Pieces.current.all)
        } catch let fault as JournalFault {
            throw failure(fault.description(file: session.description), Exit.data)
        } catch let errno as Errno {
            throw failure("\(session): \(errno)", Exit.noInput)
        }
        if let line = outline.cutLine { warn("\(session):\(line): warning: the session was cut off here") }
        if let line = outline.changedLine { warn(JournalIntegrity.warning(session, line: line)) }
        let drawing = OutlineDrawing(outline: outline, title: escaped(journal.lastComponent?.string ?? session.description))
        do {
            if output?.isStandardStream == true {
                try FileDescriptor.standardOutput.writeAll(drawing.svg.utf8)
            } else {
                try create(path, from: journal, replaces: force) { _ = try $0.writeAll(drawing.svg.utf8) }
                print(path.string)
            }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }
}
