import Foundation
import Testing
import TestSupport

/// Started as systemd starts it, by sd_listen_fds(3) and sd_notify(3).
@Suite(.serialized) struct ActivationTests {
    /// A listening socket that is somebody else's, and the daemons that are given it.
    private final class ServiceManager {
        let scratch: Scratch
        let socket: String
        let mailbox: Mailbox
        private let descriptor: CInt

        init() throws {
            scratch = try Scratch()
            socket = scratch.file("c.sock")
            mailbox = try Mailbox(scratch.file("notify"))
            descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
            #expect(status == 0 && listen(descriptor, 64) == 0)
        }

        deinit { close(descriptor) }

        func start(_ environment: [String: String] = [:]) throws -> Running {
            // The shell becomes the daemon, so that its number is the daemon's.
            let words = "export LISTEN_PID=$$ SYSTEMD_EXEC_PID=$$; exec \"$@\""
            let variables = ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "thrumd.socket", "NOTIFY_SOCKET": scratch.file("notify"),
                             "XDG_RUNTIME_DIR": scratch.path, "STATE_DIRECTORY": scratch.file("state")]
            return try Running("bash", ["-c", words, "bash", Programs.thrumd, "--output", "null", "--devices", "no",
                                        "--sessions", scratch.file("sessions")], environment: variables.merging(environment) { $1 },
                               passing: descriptor)
        }

        /// What it is told until it is told something that begins with `words`, that too.
        func told(until words: String) throws -> [String] {
            var messages: [String] = []
            while messages.last?.hasPrefix(words) != true { messages.append(try mailbox.text()) }
            return messages
        }
    }

    private static let question = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#

    @Test func `a client that spoke before there was a daemon is answered, and the next daemon's too`() throws {
        let manager = try ServiceManager()
        for _ in 1...2 {
            let early = try LineSocket(manager.socket)
            try early.send(Self.question)
            let daemon = try manager.start()
            #expect(try early.receive().contains(#""result""#))
            #expect(try LineSocket(manager.socket).call("status").contains(#""result""#))
            daemon.signal(SIGTERM)
            #expect(daemon.finish().status == 0)
            #expect(FileManager.default.fileExists(atPath: manager.socket))
        }
        // The default path's folder is made for a socket of the daemon's own, and this one was not.
        #expect(try !manager.scratch.contents.contains("thrum"))
    }

    @Test func `the manager's socket is stood in for when its file is removed, which is an issue`() async throws {
        let manager = try ServiceManager()
        let daemon = try manager.start()
        let client = try LineSocket(manager.socket)
        #expect(try client.call("status").contains(#""issues":[]"#))
        #expect(unlink(manager.socket) == 0)
        #expect(try await eventually { (try? LineSocket(manager.socket).call("status"))?.contains("the service manager's socket") == true })
        #expect(try client.call("status").contains("until the socket's unit is restarted"))
        daemon.signal(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func `the manager hears when it is ready, how it is, that it lives, and that it stops`() async throws {
        let manager = try ServiceManager()
        let daemon = try manager.start(["WATCHDOG_USEC": "400000"])
        let told = try manager.told(until: "READY=1")
        #expect(told.contains { $0.hasPrefix("STATUS=") }, "\(told)")
        if !told.contains(where: { $0.contains("rendering into nothing") }) { _ = try manager.told(until: "STATUS=rendering into nothing") }
        // Who is told that it is ready can ask at once.
        #expect(try LineSocket(manager.socket).call("status").contains(#""result""#))
        for _ in 1...3 { _ = try manager.told(until: "WATCHDOG=1") }

        daemon.signal(SIGSTOP)
        // What it said before it stood still.
        try await Task.sleep(for: .milliseconds(100))
        _ = manager.mailbox.empty()
        try await Task.sleep(for: .seconds(1))
        #expect(manager.mailbox.empty().isEmpty)
        daemon.signal(SIGCONT)
        _ = try manager.told(until: "WATCHDOG=1")

        daemon.signal(SIGTERM)
        _ = try manager.told(until: "STOPPING=1")
        #expect(daemon.finish().status == 0)
        #expect(manager.mailbox.empty().allSatisfy { !$0.contains("READY=1") })
    }

    @Test func `an operator's wish ends it softly with the status of a new start, and the next daemon answers who came meanwhile`() throws {
        let manager = try ServiceManager()
        let daemon = try manager.start()
        let client = try LineSocket(manager.socket)
        _ = try client.call("hello", #"{"client":"console"}"#)
        #expect(try client.call("tone", #"{"on":true}"#).contains("frame"))
        #expect(try client.call("daemon.restart") == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        _ = try manager.told(until: "STOPPING=1")
        let end = daemon.finish()
        #expect(end.status == 75 && end.errors.contains("the daemon starts anew, because somebody has asked for it"), "\(end.errors)")
        #expect(end.errors.contains("by=console, client "), "\(end.errors)")
        let journal = try #require(try FileManager.default.contentsOfDirectory(atPath: manager.scratch.file("sessions")).first)
        #expect(try String(contentsOfFile: manager.scratch.file("sessions/" + journal), encoding: .utf8).contains(#""shutdown""#))
        let early = try LineSocket(manager.socket)
        try early.send(Self.question)
        let next = try manager.start()
        #expect(try early.receive().contains(#""result""#))
        next.signal(SIGTERM)
        #expect(next.finish().status == 0)
    }

    @Test func `a daemon that no manager has started goes on, and says why`() async throws {
        let daemon = try await Daemon(["--output", "null"], environment: ["NOTIFY_SOCKET": ""])
        #expect(try LineSocket(daemon.socket).call("daemon.restart").contains(#""reason":"unavailable""#))
        #expect(daemon.terminate() == 0)
    }

    @Test func `without a watchdog it says nothing of it`() throws {
        let manager = try ServiceManager()
        let daemon = try manager.start()
        _ = try manager.told(until: "READY=1")
        _ = try LineSocket(manager.socket).call("status")
        daemon.signal(SIGTERM)
        #expect(try manager.told(until: "STOPPING=1").allSatisfy { !$0.contains("WATCHDOG") })
        #expect(daemon.finish().status == 0)
    }
}
