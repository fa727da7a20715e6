import ArgumentParser
import Journal
import JournalFile
import SystemPackage

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say whether journals are as thrumd wrote them.",
        discussion: """
            Each line of a journal ends with a sum of all before it, so a line that was changed, removed or moved is found. A line is \
            printed for each journal. Exit status 0 if all are good; 65 if one is not, 66 if one cannot be opened. The journal of a \
            session that is still running has no end yet, and so is not good.

            EXAMPLES
              thrum verify newest
              thrum verify /var/lib/thrum/sessions/*.jsonl
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var sessions: [SessionArgument]

    @OptionGroup var folder: SessionsOption

    func run() throws {
        let (journals, missing) = try sessions.found(in: folder.path)
        let bar = ProgressBar("verifying")
        var status = missing
        for (place, journal) in journals.enumerated() {
            do {
                let size = max(1, try Self.size(of: journal.path))
                let check = try JournalCheck(journal.path) { bytes in
                    bar.show((Double(place) + min(1, Double(bytes) / Double(size))) / Double(journals.count))
                }
                bar.clear()
                print(Self.line(check, of: journal))
                if !check.isGood { status = status ?? Exit.data }
            } catch let errno as Errno {
                bar.clear()
                print("\(journal): unreadable: \(errno)")
                status = Exit.noInput
            }
        }
        if let status { throw status }
    }

    private static func size(of path: FilePath) throws -> Int64 {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter { (try? file.seek(offset: 0, from: .end)) ?? 0 }
    }

    private static func line(_ check: JournalCheck, of journal: SessionFile) -> String {
        switch check {
        case .good(let lines): "\(journal): good, lines: \(lines)"
        case .cut(let line): "\(journal): good so far, cut off at line \(line)"
        case .unknown(let lines): "\(journal): no sums, lines: \(lines)"
        case .changed(let line): "\(journal): changed at line \(line) or above it"
        case .missing(let line): "\(journal): changed: no sum at line \(line), while others have one"
        case .beginningMissing(let end):
            "\(journal): changed: the beginning is missing, all before \(end.clock(3))"
        case .unreadable(let fault): "\(journal): unreadable: line \(fault.line): \(fault.fault)"
        }
    }
}
