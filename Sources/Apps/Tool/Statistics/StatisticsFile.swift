import ArgumentParser
import Experience
import SystemPackage

/// Where statistics are drawn, if anywhere.
struct StatisticsFile: ParsableArguments {
    @Option(help: "Also draw it, into this file, .svg or .png.", completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var picture: FileArgument?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        if picture?.isStandardStream == true { throw ValidationError("--picture: expected a file's name, found \"-\"") }
        _ = try PictureFormat(of: picture, option: "--picture")
    }

    /// Refuses a picture of a piece that has nothing to say of its sessions.
    func check(_ piece: Declaration) throws {
        guard picture == nil || piece.statistics != nil else {
            throw failure("--picture: expected a piece with statistics, found \(piece.name)", .validationFailure)
        }
    }

    /// Does nothing when no picture is asked for, or there is nothing to draw. `journal` is the file that it must not be.
    func draw(_ report: StatisticsReport?, title: String, beside journal: FilePath) throws {
        guard let picture, let report else { return }
        guard picture.path != journal else { throw failure("--picture: \(picture) is the journal's file", .validationFailure) }
        do {
            let format = try PictureFormat(of: picture, option: "--picture")
            let svg = StatisticsDrawing(report: report, title: title).svg(style: format.style(nil))
            try create(picture.path, from: journal, replaces: force, advice: "") { try format.write(svg, to: $0) }
        } catch let errno as Errno {
            throw failure("\(picture): \(errno)", Exit.inputOutput)
        }
    }
}
