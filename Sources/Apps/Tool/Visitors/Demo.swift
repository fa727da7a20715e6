import ArgumentParser
import Experience
import Journal
import Offline
import SoundFile
import SystemPackage
import Units

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Make one minute of a piece, to hear and to see, without a daemon.",
        discussion: """
            Writes three files: demo.wav, the sound of a made-up visit; demo.svg, its picture; and demo.jsonl, the journal that both are \
            made from. No sound server is needed, and no touchscreen.

            EXAMPLES
              thrum demo
              thrum demo --into out --haptics
              thrum demo --seed 7 --force
            """)

    @Option(help: "The directory for the files, which is made if need be. (default: the current one)", completion: .directory)
    var into: FileArgument?

    @Option(parsing: .unconditional, help: "Another seed is another minute: 0 to 9007199254740991. (default: the piece's own)")
    var seed: UInt64?

    @Flag(help: "The sound on the left, and on the right what haptic patterns have a transducer do.")
    var haptics = false

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        guard let seed, !JournalHeader.seeds.contains(seed) else { return }
        throw ValidationError("--seed: expected 0 to \(JournalHeader.seeds.upperBound), found \(seed)")
    }

    func run() throws {
        let pieces = Pieces.current.all
        let shown = pieces.lazy.compactMap { piece in piece.declaration.demonstration.map { (piece, $0) } }.first
        guard let (piece, demonstration) = shown else {
            throw failure("expected a piece with a demonstration, found none", .validationFailure)
        }
        let directory = into?.path ?? "."
        try makeDirectory(directory)
        func file(_ name: String) -> FilePath { into == nil ? FilePath(name) : directory.appending(name) }
        let (journal, wav, picture) = (file("demo.jsonl"), file("demo.wav"), file("demo.svg"))
        do {
            var simulation = Simulation(piece, demonstration.visitor, seed: seed ?? demonstration.seed, turns: .max, idle: Seconds(3),
                                        theme: demonstration.theme, knobs: demonstration.knobs)
            try create(journal, from: nil, replaces: force) { try simulation.writeJournal(to: $0) }
            var options = Rendering.Options(pieces)
            options.channels = haptics ? .interleaved : .doubled
            let result = try create(wav, from: journal, replaces: force) { try Rendering.render(journal, to: $0, options) }
            let outline = try SessionOutline(journal, columns: SessionDrawing.columns, pieces)
            let drawing = SessionDrawing(outline, named: "\(piece.declaration.name): a visit in one minute")
            try create(picture, from: journal, replaces: force) { _ = try $0.writeAll(drawing.svg.utf8) }
            print(lines(outline, result, wav: wav, picture: picture, journal: journal).joined(separator: "\n"))
        } catch let fault as JournalFault {
            throw failure(fault.description(file: journal.string), Exit.data)
        } catch let error as SoundFileError {
            throw failure("\(wav): \(error)", Exit.inputOutput)
        } catch let errno as Errno {
            throw failure("\(directory): \(errno)", Exit.inputOutput)
        }
    }

    /// Returns lines for people: the names of the files, and the times at which each chime sounds.
    private func lines(_ outline: SessionOutline, _ result: Rendering.Result, wav: FilePath, picture: FilePath,
                       journal: FilePath) -> [String] {
        var times: [(chime: String, at: [String])] = []
        for mark in outline.marks {
            let time = mark.at.clock()
            if let index = times.firstIndex(where: { $0.chime == mark.chime }) {
                times[index].at.append(time)
            } else {
                times.append((mark.chime, [time]))
            }
        }
        return ["\(wav)  \(outline.duration.clock())"]
            + times.map { "  \($0.chime) at \($0.at.joined(separator: ", "))" }
            + ["\(picture)  the same minute, drawn", "\(journal)  its journal"]
    }
}
