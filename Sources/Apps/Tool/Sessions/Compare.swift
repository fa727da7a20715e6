import ArgumentParser
import Escaping
import Experience
import Offline
import SystemPackage
import Units

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Say where two sessions first differ.",
        discussion: """
            What was done, the cues and the margins that the rules gave for it, and the sound are compared, each to its first \
            difference. The samples are compared bit by bit. When the sessions began is said, and does not count. --picture draws both \
            above each other, with lines where they first differ. --from, --to and --mark take a part of each. Exit status 0 \
            if they are the same, 1 if they differ, 65 if one cannot be played, 66 if one cannot be opened.

            EXAMPLES
              thrum compare newest newest-1
              thrum compare newest newest-1 --from 1:30 --to 2:00
              thrum compare before.jsonl after.jsonl --json | jq .sound.seconds
              thrum compare newest newest-1 --picture both.svg
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var first: SessionArgument

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var second: SessionArgument

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @Option(help: "Draw both into this file, .svg or .png; - for an SVG on standard output, in place of the text.",
            completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var picture: FileArgument?

    @Option(help: "Of the picture: light or dark. (default: as the page it is on; light for a PNG)")
    var style: PictureStyle?

    @OptionGroup var part: CutOption

    @OptionGroup var folder: SessionsOption

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    func validate() throws {
        _ = try PictureFormat(of: picture, option: "--picture")
        guard style == nil || picture != nil else { throw ValidationError("--style: expected none without --picture") }
    }

    func run() throws {
        let first = try self.first.file(in: folder.path)
        let second = try self.second.file(in: folder.path)
        for session in [first, second] { try check(session) }
        let bar = ProgressBar("comparing")
        let comparison = try SessionComparison(first.path, second.path, cut: part.cut, Pieces.current.all) { bar.show($0) }
        bar.clear()
        if let picture { try draw(comparison, first, second, picture) }
        if picture?.isStandardStream != true {
            print(json ? try JSONReport.text(comparison) : Self.lines(comparison, first.title, second.title).joined(separator: "\n"))
        }
        if !comparison.isSame { throw ExitCode(1) }
    }

    private func draw(_ comparison: SessionComparison, _ first: SessionFile, _ second: SessionFile, _ picture: FileArgument) throws {
        let format = try PictureFormat(of: picture, option: "--picture")
        let bar = ProgressBar("drawing")
        func outline(_ session: SessionFile, from done: Double) throws -> SessionOutline {
            try SessionOutline(session.path, cut: part.cut, columns: SessionDrawing.columns, Pieces.current.all) { bar.show(done + $0 / 2) }
        }
        let outlines = (try outline(first, from: 0), try outline(second, from: 0.5))
        bar.clear()
        let drawing = ComparisonDrawing(comparison, outlines, named: (first.title, second.title), style: format.style(style))
        do {
            guard !picture.isStandardStream else { return try format.write(drawing.svg, to: .standardOutput) }
            guard picture.path != first.path, picture.path != second.path else {
                throw failure("\(picture): is one of the sessions", Exit.cannotCreate)
            }
            try create(picture.path, from: first.path, replaces: force) { try format.write(drawing.svg, to: $0) }
        } catch let errno as Errno {
            throw failure("\(picture): \(errno)", Exit.inputOutput)
        }
    }

    /// Checks that one session can be rendered, so that an error names the right one of the two.
    private func check(_ session: SessionFile) throws {
        try session.reading { try Rendering.check(session.path, cut: part.cut, Pieces.current.all) }
    }

    private static func lines(_ comparison: SessionComparison, _ first: String, _ second: String) -> [String] {
        let (a, b) = (comparison.first, comparison.second)
        let rows: [(String, String, String)] = [
            ("", first.printable, second.printable), ("began", a.started.printable, b.started.printable),
            ("experience", a.experience.printable, b.experience.printable),
            ("rules", a.rules.map(String.init) ?? "-", b.rules.map(String.init) ?? "-"),
            ("model", a.model?.printable ?? "-", b.model?.printable ?? "-"), ("theme", a.theme.printable, b.theme.printable),
            ("seed", "\(a.seed)", "\(b.seed)"), ("rate", "\(a.sampleRate) Hz", "\(b.sampleRate) Hz"),
            ("length", Seconds(a.seconds).clock(3), Seconds(b.seconds).clock(3)), ("events", "\(a.events)", "\(b.events)"),
            ("cues", "\(a.cues)", "\(b.cues)"), ("end", a.end ?? "cut off", b.end ?? "cut off"),
        ]
        let width = rows.map(\.1.columns).max() ?? 0
        let table = rows.map { row in
            // A difference is marked by a word, not only by colour. The rows of the names and of the starts are never marked.
            let mark = ["", "began"].contains(row.0) || row.1 == row.2 ? "" : "  differs"
            return row.0.padded(to: 12) + row.1.padded(to: width + 2) + row.2 + mark
        }
        let same = comparison.events == nil ? "the same" : "the same until then"
        var lines = table + [""]
        lines += sentences("events", comparison.events)
        lines += sentences("cues", comparison.cues, same: same)
        if a.model != nil || b.model != nil { lines += sentences("margins", comparison.margins, same: same) }
        lines.append(sound(comparison.sound))
        return lines
    }

    private static func sentences(_ subject: String, _ difference: SessionComparison.Difference?, same: String = "the same") -> [String] {
        guard let difference else { return ["\(subject): \(same)"] }
        return [
            "\(subject): first different at \(Seconds(difference.seconds).clock(3))",
            "  \(difference.first ?? "nothing more")", "  \(difference.second ?? "nothing more")",
        ]
    }

    private static func sound(_ difference: SessionComparison.SoundDifference?) -> String {
        guard let difference else { return "sound: the same samples" }
        let text = "sound: first different at \(Seconds(difference.seconds).clock(3))"
        guard let largest = difference.largest else { return text + ", where one has ended" }
        return text + "; the largest difference of two samples is \(largest.fixed(1)) dBFS"
    }
}
