import ArgumentParser
import Escaping
import Foundation
import Processes
import SystemPackage
import Wire

struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Let a phone or a tablet into the console: print an address that is good once, and its QR code.",
        discussion: """
            The device that opens the address first gets a token of its own, and keeps it. `thrum token list` names it, and `thrum token \
            revoke` takes it back. The address is good for ten minutes. The QR code is drawn on a terminal where the program qrencode is \
            installed, of the Debian package of that name. Only root and thrumd's own user may let in an operator.

            EXAMPLES
              thrum console
              thrum console anna+phone --role operator
              thrum console shop+phone --role volume
              thrum console --at https://console.example.org/console/
            """)

    @Argument(help: "Who has the device: letters, digits, and . _ -; anna+phone is a device of anna. (default: phone- and four letters)")
    var name: String?

    @Option(help: "What the device may do: visitor, player, watch, volume or operator.")
    var role: Role = .operator

    @Option(help: "The console's address as the device finds it, for instance behind a proxy. (default: as thrumd's settings have it)")
    var at: String?

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let words = name.map { ["name=\($0)"] } ?? []
        let invitation: Invitation = try await daemon.converse { [role] in
            try await $0.result(of: "token.invite", words + ["role=\(role.rawValue)"])
        }
        guard let address = at ?? invitation.address else {
            throw failure("thrumd serves no pages: the setting http says where it does", Exit.unavailable)
        }
        let text = ConsoleInvitation(invitation, at: address)
        print(text.address)
        guard Terminal.isThere else { return }
        if let drawing = try Self.drawing(of: text.address) {
            print(drawing, terminator: "")
        } else {
            warn("a QR code needs the program qrencode, of the Debian package qrencode")
        }
        print(text.explanation)
        if let warning = text.warning { warn(warning) }
    }

    /// Returns the QR code of `address`, drawn in characters for a terminal; nil where qrencode is not installed. qrencode gets the address
    /// through a pipe, because other users can see a program's arguments.
    private static func drawing(of address: String) throws -> String? {
        let (input, output) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
        defer {
            try? input.readEnd.close()
            try? output.readEnd.close()
        }
        // A pipe holds more than an address, and more than its drawing.
        _ = try input.writeEnd.closeAfter { try input.writeEnd.writeAll(address.utf8) }
        do {
            let drawn = try output.writeEnd.closeAfter {
                try FinishedProcess(running: "qrencode", ["--type", "ANSIUTF8", "--output", "-"],
                                    environment: ProcessInfo.processInfo.environment, input: input.readEnd, output: output.writeEnd)
            }
            guard drawn.status == 0 else { throw failure("qrencode: \(drawn.complaint)", Exit.inputOutput) }
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
        return try String(decoding: FileHandle(fileDescriptor: output.readEnd.rawValue).readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// What `thrum console` prints about an invitation to the console.
struct ConsoleInvitation {
    /// The address that the device opens. The browser sends nobody the part after the #; the page itself presents that code to thrumd.
    let address: String
    let explanation: String
    /// A warning why the device may not reach thrumd at that address; nil where it should.
    let warning: String?

    /// Makes the text about `invitation`. `console` is the address of the console's page.
    init(_ invitation: Invitation, at console: String) {
        address = "\(console.printable)#code=\(invitation.code)"
        let minutes = invitation.seconds / 60
        explanation = "It is good once, within \(minutes) minutes. The device is \(invitation.name) then, \(invitation.role.rawValue); "
            + "thrum token revoke \(invitation.name) takes that back."
        let isOwn = ["localhost", "127.", "[::1]"].contains { console.hasPrefix("http://" + $0) }
        warning = isOwn ? "only this machine finds that address: docs/operations.md says how a phone does, by a proxy and --at" : nil
    }
}
