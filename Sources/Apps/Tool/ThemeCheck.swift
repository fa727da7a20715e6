import ArgumentParser
import Fields
import Journal
import JournalFile
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import YAML

extension ThemeCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say whether files of themes are good, and what in them is odd.",
            discussion: """
                Exit status 0 if all are good, odd or not; 78 if one is wrong; 66 if one cannot be read.

                EXAMPLES
                  thrum theme check glass.yaml
                  thrum theme check ~/.config/thrum/themes/*.yaml
                """)

        @Argument(help: "The files.", completion: .file(extensions: ["yaml"]))
        var files: [FileArgument]

        func run() throws {
            var status: ExitCode?
            for file in files {
                do {
                    let theme = try ThemeFile(file.path) { try Self.pattern($0) }
                    try Self.checkRoom(for: theme)
                    for (field, words) in theme.theme.oddities {
                        warn("\(file)" + (theme.line(of: field).map { ":\($0)" } ?? "") + ": warning: \(field): \(words)")
                    }
                    print("\(file): good: \(theme.theme.name)")
                } catch let problem as FileFault {
                    status = failure("\(problem)", Exit.settings)
                } catch let errno as Errno {
                    let unreadable = failure("\(file): \(errno)", Exit.noInput)
                    status = status ?? unreadable
                }
            }
            if let status { throw status }
        }

        private static func pattern(_ path: FilePath) throws -> HapticPattern {
            let ahap = try PatternFile.read(path)
            if !ahap.ignored.isEmpty { warn("\(path): warning: keys passed over: \(ahap.ignored.count); thrum haptic names them") }
            return ahap.pattern
        }

        /// Every journal begins with its theme.
        private static func checkRoom(for file: ThemeFile) throws {
            let header = JournalHeader(sampleRate: .standard, seed: 0, experience: "direct", started: "now", theme: file.theme)
            let line = JournalLine.encode(.header(header)).dropLast()
            guard line.count < JournalScan.longestLine else {
                let fault = Fault(field: "", expected: "a theme that a journal has room for, 1 MiB", found: "\(line.count) bytes")
                throw FileFault(file: file.path.string, fault: fault)
            }
        }
    }
}
