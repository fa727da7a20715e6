import ArgumentParser
import ControlSocket
import Experience
import Fields
import SystemPackage

/// The command that a piece adds to `thrum`.
struct PieceCommand<Piece: Experience>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: command?.name, abstract: command?.about ?? "", subcommands: [Check.self, Show.self])
    }

    private static var command: CommandDeclaration? { Piece.command }

    struct Check: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "check", abstract: command?.check.about ?? "",
                discussion: """
                    Exit status 0 if all are good, 78 if one is wrong, 66 if one cannot be read.

                    EXAMPLES
                      thrum \(command?.name ?? "") check \(command?.check.example ?? "")
                    """)
        }

        @Argument(help: "The files.", completion: .file(extensions: [command?.check.fileExtension ?? ""]))
        var files: [FileArgument]

        func run() throws {
            let read = try files.map { file in
                do {
                    return FileCheck.File(path: file.description, bytes: [UInt8](try readAll(file.path)))
                } catch let errno as Errno {
                    throw failure("\(file): \(errno)", Exit.noInput)
                }
            }
            do {
                try command?.check.check(read)
            } catch {
                throw failure("\(error)", Exit.settings)
            }
            for file in files { print("\(file): good") }
        }
    }

    struct Show: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "show", abstract: command?.drawing.about ?? "",
                                 discussion: """
                                    In colours where the output is a terminal.

                                    EXAMPLES
                                      thrum \(command?.name ?? "") show
                                      thrum \(command?.name ?? "") show --household anna
                                    """)
        }

        @OptionGroup var household: HouseholdOption

        @OptionGroup var daemon: Daemon

        func run() async throws {
            guard let drawing = command?.drawing else { return }
            let pairs = try household.pairs
            let answers = try await daemon.converse { exchange in
                var answers: [String: JSONValue] = [:]
                for query in drawing.queries {
                    answers[query] = pairs.isEmpty ? try await exchange.result(of: query)
                        : try await exchange.result(of: "household.query", pairs + ["query=\(query)"])
                }
                return answers
            }
            do {
                Swift.print(try drawing.lines(answers, Terminal.isThere).joined(separator: "\n"))
            } catch {
                throw failure("what thrumd answers is of another version: \(error)", Exit.data)
            }
        }
    }
}

extension Pieces {
    /// The commands that the pieces add to `thrum`.
    var commands: [any ParsableCommand.Type] { all.compactMap { Self.command(of: $0) } }

    private static func command<Piece: Experience>(of piece: Piece.Type) -> (any ParsableCommand.Type)? {
        piece.command.map { _ in PieceCommand<Piece>.self }
    }
}
