import ArgumentParser
import Journal
import Offline
import SoundFile
import SystemPackage

struct Picture: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a session: its pitch, level and chimes over time, as an SVG.")

    @Argument(help: "The journal, a .jsonl file.", completion: .file(extensions: ["jsonl"]))
    var session: String

    @Option(name: .shortAndLong, help: "The SVG file. (default: the journal's name with .svg)")
    var output: String?

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    func run() throws {
        let journal = FilePath(session)
        let path = output.map { FilePath($0) } ?? journal.renamed(extension: "svg")
        let portrait: Portrait
        do {
            portrait = try Portrait(journal, columns: PortraitDrawing.columns)
        } catch let fault as JournalFault {
            throw failure(fault.description(file: session), Exit.data)
        } catch let errno as Errno {
            throw failure("\(session): \(errno)", Exit.noInput)
        }
        do {
            let file = try PendingFile(path, replaces: force)
            let title = escaped(journal.lastComponent?.string ?? session)
            try file.descriptor.writeAll(PortraitDrawing(portrait: portrait, title: title).svg.utf8)
            try file.publish()
        } catch Errno.fileExists {
            throw failure("\(path): the file exists; --force replaces it", Exit.cannotCreate)
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.cannotCreate)
        }
        print(path.string)
    }
}
