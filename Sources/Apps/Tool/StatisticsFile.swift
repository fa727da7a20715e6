import ArgumentParser
import Offline
import SystemPackage

/// Where a session's statistics are drawn, if anywhere.
struct StatisticsFile: ParsableArguments {
    @Option(help: "Also draw it, as this SVG file.", completion: .file(extensions: ["svg"]))
    var picture: FileArgument?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        if picture?.isStandardStream == true { throw ValidationError("--picture: expected a file's name, found \"-\"") }
    }

    /// Does nothing when no picture is asked for. `journal` is the file that it must not be.
    func draw(_ statistics: SessionStatistics, title: String, beside journal: FilePath) throws {
        guard let picture else { return }
        guard picture.path != journal else { throw failure("--picture: \(picture) is the journal's file", .validationFailure) }
        do {
            let drawing = StatisticsDrawing(statistics: statistics, title: title)
            try create(picture.path, from: journal, replaces: force, advice: "") { _ = try $0.writeAll(drawing.svg.utf8) }
        } catch let errno as Errno {
            throw failure("\(picture): \(errno)", Exit.inputOutput)
        }
    }
}
