import ArgumentParser
import Files
import Offline
import SystemPackage

struct Picture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture",
        abstract: "Draw a session: what happened in it, its tone, spectrum and loudness over time.",
        discussion: """
            Above, a row for marks, for what the piece has to show, for chimes, themes, mutes, and what was not heard. Below, the tone's \
            pitch; how strong which frequency was; momentary and short-term loudness by EBU R 128, as a meter would show them at that \
            moment; and the largest samples. The same session gives the same bytes. Of the idle time that a visit ends with 15 s are \
            drawn, unless --from or --to is given.

            A picture is light or dark as the page it is on, unless --style says which. A name that ends in .png gives a PNG, which needs \
            rsvg-convert (librsvg2-bin).

            --into draws many sessions, each into a file of its name; --format png makes PNGs. Files that are there already stay as they \
            are. A session that cannot be drawn is named, and the others are drawn; then the exit status is 65, or 66 where it is not there.

            EXAMPLES
              thrum picture newest
              thrum picture newest --from 1:30 --to 2:00 -o - > unlock.svg
              thrum picture session.jsonl -o session.png --style dark
              thrum picture *.jsonl --into pictures --format png
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var sessions: [SessionArgument]

    @Option(name: .shortAndLong, help: "The file, .svg or .png; - for an SVG on standard output. (default: the session's name with .svg)",
            completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var output: FileArgument?

    @Option(help: "Draw each session into this directory, which is made if need be.", completion: .directory)
    var into: FileArgument?

    @Option(help: "svg or png, where --output names no file. (default: svg)")
    var format: PictureFormat?

    @Option(help: "light or dark. (default: as the page it is on; light for a PNG)")
    var style: PictureStyle?

    @OptionGroup var part: CutOption

    @OptionGroup var rules: RulesOption

    @OptionGroup var folder: SessionsOption

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        try checkOutputOptions(of: sessions.count, into: into, output: output, format: format?.rawValue)
        _ = try wantedFormat
    }

    private var wantedFormat: PictureFormat {
        get throws { try format ?? PictureFormat(of: output, option: "--output") }
    }

    func run() throws {
        guard let into else { return try draw(try sessions[0].file(in: folder.path)) }
        let (found, missing) = try sessions.found(in: folder.path)
        try drawAll(found, into: into.path)
        if let missing { throw missing }
    }

    private func drawAll(_ sessions: [SessionFile], into directory: FilePath) throws {
        let kind = try wantedFormat
        let jobs = try sessions.outputs(into: directory, extension: kind.rawValue, part: part.nameSuffix, to: "draw")
        var (there, failed, status): (Int, Int, ExitCode?) = (0, 0, nil)
        for (session, path) in jobs {
            if !force, path.isThere {
                there += 1
                continue
            }
            do {
                try draw(session, to: path, kind)
            } catch let exit as ExitCode {
                failed += 1
                status = status ?? exit
            }
        }
        print("drawn: \(jobs.count - there - failed)" + (there > 0 ? ", there already: \(there)" : "")
            + (failed > 0 ? ", failed: \(failed)" : ""))
        if let status { throw status }
    }

    private func draw(_ session: SessionFile) throws {
        let format = try wantedFormat
        guard let path = output?.path ?? session.output(extension: format.rawValue, part: part.nameSuffix) else {
            throw failure("--output is needed, because \(session) has no name", .validationFailure)
        }
        try draw(session, to: output?.isStandardStream == true ? nil : path, format)
    }

    /// Draws a session into the file `path`, or to standard output where `path` is nil. Throws an exit status.
    private func draw(_ session: SessionFile, to path: FilePath?, _ format: PictureFormat) throws {
        let drawing = SessionDrawing(try outline(session), named: session.title, style: format.style(style))
        do {
            guard let path else { return try format.write(drawing.svg, to: .standardOutput) }
            try create(path, from: session.path, replaces: force) { try format.write(drawing.svg, to: $0) }
            print(path.string)
        } catch let errno as Errno {
            throw failure("\(path?.string ?? "standard output"): \(errno)", Exit.inputOutput)
        }
    }

    private func outline(_ session: SessionFile) throws -> SessionOutline {
        rules.noteModel(of: session)
        return try session.reading {
            let bar = ProgressBar("drawing")
            let cut = part.cut == .whole ? try SessionCut.untilIdle(session.path) : part.cut
            let outline = try SessionOutline(session.path, by: rules.forCues, cut: cut, columns: SessionDrawing.columns,
                                             Pieces.current.all) { bar.show($0) }
            bar.clear()
            outline.notes.warnings(of: session).forEach(warn)
            if let fault = outline.ruleFault {
                warn("\(session):\(fault.line): warning: \(fault.fault); the piece's rows end here")
            }
            return outline
        }
    }
}
