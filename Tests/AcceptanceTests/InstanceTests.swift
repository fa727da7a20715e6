import Foundation
import Testing
import TestSupport

/// One daemon a socket, whatever happens to the socket's file.
@Suite(.serialized) struct InstanceTests {
    private func start(_ scratch: Scratch, _ arguments: [String] = [], state: String) throws -> Running {
        try Running(Programs.thrumd, ["--socket", scratch.file("c.sock"), "--sessions", scratch.file("sessions"), "--output", "null",
                                      "--devices", "no", "--osc-socket", scratch.file("osc.sock")] + arguments,
                    environment: ["STATE_DIRECTORY": scratch.file(state)])
    }

    private func reopened(_ daemon: Daemon) throws -> Int { try daemon.status()["reopenedListeners"] as? Int ?? -1 }
    private func issues(_ daemon: Daemon) throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }

    /// 40 pairs, or as many as THRUMDEV_PAIRS says: `make pairs` runs 2,000, which takes some ten minutes. Without the lock both served in 1 of
    /// 40 pairs.
    @Test func `of two that are started at once one serves, and the other ends with 69`() async throws {
        let count = ProcessInfo.processInfo.environment["THRUMDEV_PAIRS"].flatMap { Int($0) } ?? 40
        for pair in 1...count {
            let scratch = try Scratch()
            // A socket of an earlier one that was killed is what both find.
            if pair % 2 == 0 { try leaveStaleSocket(scratch.file("c.sock")) }
            let both = [try start(scratch, state: "a"), try start(scratch, state: "b")]
            var ended: [Int] = []
            // Whoever loses ends by itself; and should both have won, neither does.
            #expect(try await eventually {
                ended = both.indices.filter { kill(both[$0].identifier, 0) != 0 || self.isZombie(both[$0]) }
                return !ended.isEmpty
            }, "pair \(pair): both serve")
            guard let loser = ended.first else { continue }
            let finished = both[loser].finish()
            #expect(finished.status == 69 && finished.errors.contains("another thrumd is listening here"), "pair \(pair): \(finished.errors)")
            #expect(try await eventually { (try? LineSocket(scratch.file("c.sock")).call("status"))?.contains("result") == true })
            both[1 - loser].signal(SIGTERM)
            #expect(both[1 - loser].finish().status == 0, "pair \(pair): \(both[1 - loser].errors)")
        }
    }

    private func isZombie(_ process: Running) -> Bool {
        let text = (try? String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)) ?? ""
        return text.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    private func leaveStaleSocket(_ path: String) throws {
        let mailbox = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(mailbox, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        close(mailbox)
        guard status == 0 else { throw LineSocket.Failed(description: String(cString: strerror(errno))) }
    }

    @Test func `a socket whose file is removed is there again, nobody is disconnected, and it is counted`() async throws {
        let scratch = try Scratch()
        let osc = scratch.file("osc.sock")
        let daemon = try await Daemon(["--output", "null", "--osc-socket", osc], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        #expect(unlink(daemon.socket) == 0 && unlink(osc) == 0)
        // At once, before it has been noticed, a second one gets nothing.
        let second = try run(Programs.thrumd, ["--socket", daemon.socket, "--sessions", scratch.file("s"), "--output", "null"],
                             environment: ["STATE_DIRECTORY": scratch.file("other")])
        #expect(second.status == 69 && second.errors.contains("another thrumd is listening here"))
        #expect(try await eventually { FileManager.default.fileExists(atPath: daemon.socket) && FileManager.default.fileExists(atPath: osc) })
        #expect(try await eventually { try self.reopened(daemon) == 2 })
        #expect(try daemon.isHeld && client.call("touch", #"{"phase":"ended"}"#).contains("frame"))
        #expect(try issues(daemon) == [])
        #expect(daemon.process.errors.contains("the listener was lost, and is open again: the control socket"))
        #expect(daemon.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket) && !FileManager.default.fileExists(atPath: osc))
    }

    @Test func `who sends OSC is the same client before and after the socket's file was removed`() async throws {
        let scratch = try Scratch()
        let osc = scratch.file("osc")
        let daemon = try await Daemon(["--output", "null", "--osc-socket", osc], scratch: scratch)
        let sender = try Running("/usr/bin/python3", ["-c", #"""
            import os, socket, sys, time
            me = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            me.bind(sys.argv[2])
            me.settimeout(10)
            def ask(message):
                me.sendto(message, sys.argv[1])
                return me.recv(65536).split(b"\0")[0].decode()
            me.sendto(b"/touch/began\0\0\0\0,\0\0\0", sys.argv[1])
            print(ask(b"/ping\0\0\0,\0\0\0"), flush=True)
            os.unlink(sys.argv[1])
            while not os.path.exists(sys.argv[1]): time.sleep(0.01)
            print(ask(b"/ping\0\0\0,\0\0\0"), flush=True)
            while True:
                me.sendto(b"/ping\0\0\0,\0\0\0", sys.argv[1])
                time.sleep(0.5)
            """#, osc, scratch.file("me")])
        #expect(try await eventually { try self.reopened(daemon) == 1 })
        #expect(try await eventually { sender.output == "/reply\n/reply\n" }, "\(sender.errors)")
        // Had it been taken for another, or left for a moment, its finger would be up.
        #expect(try daemon.isHeld && daemon.status()["clients"] as? Int == 2)
        #expect(daemon.terminate() == 0)
    }

    @Test func `the address of the page that status names is one at which the page is, and none where there is none`() async throws {
        let port = freePort()
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--http", "0.0.0.0:\(port)",
                                       "--http-unencrypted", "yes"])
        let address = "http://localhost:\(port)/colorscroller/"
        #expect(try daemon.status()["pageAddress"] as? String == address)
        #expect(try thrum("status", "--socket", daemon.socket).text.contains("\npage     \(address)\n"))
        let page = try run("/usr/bin/curl", ["-s", "-4", address])
        #expect(page.status == 0 && page.text.contains("<html"), "\(page.errors)")
        #expect(daemon.terminate() == 0)
        let plain = try await Daemon(["--output", "null", "--http", "\(port)"])
        #expect(try plain.status()["pageAddress"] == nil)
    }

    @Test func `thrum status with --wait waits until there is no issue`() async throws {
        let scratch = try Scratch()
        let osc = scratch.file("osc")
        let daemon = try await Daemon(["--output", "null", "--osc-socket", osc], scratch: scratch)
        #expect(unlink(osc) == 0)
        _ = try scratch.write("mine", to: "osc")
        #expect(try await eventually { try !self.issues(daemon).isEmpty })
        #expect(try thrum("status", "--socket", daemon.socket, "--wait", "0.3").status == 1)
        let waiting = try Running(Programs.thrum, ["status", "--socket", daemon.socket, "--wait", "60"])
        #expect(unlink(osc) == 0)
        #expect(waiting.finish().status == 0)
        #expect(daemon.terminate() == 0)
    }

    @Test func `what is put in the socket's place is left alone, and an issue until it is gone`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        #expect(unlink(daemon.socket) == 0)
        _ = try daemon.scratch.write("mine", to: "c.sock")
        #expect(try await eventually { try client.call("status").contains("cannot listen to the control socket") })
        #expect(try client.call("status").contains("exists and is no socket"))
        #expect(try String(contentsOfFile: daemon.socket, encoding: .utf8) == "mine")
        #expect(unlink(daemon.socket) == 0)
        #expect(try await eventually { (try? self.reopened(daemon)) == 1 })
        #expect(try issues(daemon) == [])
        #expect(daemon.terminate() == 0)
    }

    @Test func `the default directory is made again when it is removed`() async throws {
        let scratch = try Scratch()
        let daemon = try Running(Programs.thrumd, ["--sessions", scratch.file("sessions"), "--output", "null", "--devices", "no"],
                                 environment: ["XDG_RUNTIME_DIR": scratch.path, "STATE_DIRECTORY": scratch.file("state")])
        let socket = scratch.file("thrum/control.sock")
        #expect(try await eventually { (try? LineSocket(socket)) != nil })
        try FileManager.default.removeItem(atPath: scratch.file("thrum"))
        #expect(try await eventually { (try? LineSocket(socket)) != nil })
        daemon.signal(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func `of two with one state directory the second keeps no books, and says whose they are`() async throws {
        let scratch = try Scratch()
        let first = try await Daemon(["--output", "null"], scratch: scratch)
        let other = try Scratch()
        let second = try await Daemon(["--output", "null"], environment: ["STATE_DIRECTORY": scratch.file("state")], scratch: other)
        let words = "another thrumd (process \(first.process.identifier)) keeps its state in"
        #expect(try await eventually { try self.issues(second).contains { $0.contains(words) && $0.contains("keeps no books") } })
        #expect(try issues(first) == [])
        // Sound goes on.
        #expect(try LineSocket(second.socket).call("chime.play", #"{"name":"ding"}"#).contains("frame"))
        #expect(first.terminate() == 0 && second.terminate() == 0)
    }
}
