import Foundation
import Testing
import TestSupport

/// `thrum support` with a real daemon, and without one.
@Suite struct SupportCommandTests {
    /// The files of a bundle, by their paths in its folder.
    private func files(of bundle: String, _ scratch: Scratch) throws -> [String: Data] {
        let folder = scratch.file("unpacked-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let unpacked = try run("tar", ["--extract", "--gzip", "--file", bundle, "--strip-components=1", "--directory", folder])
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: folder + "/" + $1) }
    }

    private func result(_ answer: String, _ field: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        return try #require((object?["result"] as? [String: Any])?[field] as? String, "\(answer)")
    }

    @Test func `one file has how the daemon is, its settings, its log, the doctor's report and the journals, and no secret`() async throws {
        let scratch = try Scratch()
        let config = try scratch.write("""
            experience: unhooked
            output: "null"
            http: \(freePort())
            idle: 3600
            log: trace
            kiosk: {screens: {any: {page: "unhooked/?token=page-token-0815&secret=sesame-open-4711"}}}

            """, to: "hall.yaml")
        let daemon = try await Daemon(["--config", config], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        let token = try result(client.call("token.add", #"{"name":"anna","role":"watch"}"#), "token")
        let code = try result(client.call("token.invite", #"{"role":"volume","name":"till"}"#), "code")
        #expect(try client.call("unhooked.enter", #"{"household":"Ada","secret":"sesame-open-4711"}"#).contains(#""result""#))
        // A line of the private key, in the base64 of PEM.
        let key = try #require(try String(contentsOfFile: scratch.file("state/journal-key.pem"), encoding: .utf8).split(separator: "\n").dropFirst().first)
        #expect(try await eventually { !daemon.journals.isEmpty })
        // What the bundle is made of has the secrets of the page's address.
        #expect(try client.call("setting.list").contains("unhooked/?token=page-token-0815&secret=sesame-open-4711"))

        let bundle = scratch.file("hall.tar.gz")
        let made = try await Running(Programs.thrum, ["support", "--socket", daemon.socket, "--config", config, "-o", bundle]).finished()
        #expect(made.status == 0 && made.text.hasPrefix(bundle), "\(made.errors)")
        let mode = try FileManager.default.attributesOfItem(atPath: bundle)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let files = try files(of: bundle, scratch)
        func text(_ name: String) -> String { String(decoding: files[name] ?? Data(), as: UTF8.self) }
        let status = try JSONSerialization.jsonObject(with: files["status.json"] ?? Data()) as? [String: Any]
        #expect(status?["clients"] is Int && status?["issues"] is [Any], "\(text("status.json"))")
        #expect(text("settings.json").contains(#""key" : "experience""#) && text("settings.json").contains("unhooked"))
        #expect(text("log.jsonl").split(separator: "\n").contains { $0.contains(#""message":"listening""#) }, "\(text("log.jsonl"))")
        #expect(text("doctor.txt").contains("daemon: "), "\(text("doctor.txt"))")
        #expect(text("kernel.txt").hasPrefix("Linux ") && !text("version.txt").isEmpty)
        let journal = try #require(daemon.journals.first)
        let kept = try #require(files["journals/" + URL(fileURLWithPath: journal).lastPathComponent])
        #expect(try Data(contentsOf: URL(fileURLWithPath: journal)).starts(with: kept) && !kept.isEmpty)

        #expect(text("settings.json").contains("unhooked/?token=…&secret=…"), "\(text("settings.json"))")
        for (what, secret) in [("token", token), ("page's token", "page-token-0815"), ("code", code),
                               ("household's secret", "sesame-open-4711"), ("key", String(key))] {
            #expect(secret.count > 8)
            for (name, data) in files { #expect(data.range(of: Data(secret.utf8)) == nil, "\(what) in \(name)") }
        }

        // What is there stays, unless it is to be replaced; and a bundle without journals has no household's name.
        #expect(try thrum("support", "--socket", daemon.socket, "-o", bundle).status == 73)
        let bare = try await Running(Programs.thrum, ["support", "--socket", daemon.socket, "-o", bundle, "--force", "--journals", "0"]).finished()
        #expect(bare.status == 0, "\(bare.errors)")
        #expect(try self.files(of: bundle, scratch).keys.allSatisfy { !$0.hasPrefix("journal") })
        #expect(daemon.terminate() == 0)
    }

    @Test func `an operator without a shell saves the same file from the daemon, and others do not`() async throws {
        let (scratch, port) = (try Scratch(), freePort())
        let daemon = try await Daemon(["--output", "null", "--http", "\(port)"], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        let tokens = try ["operator", "watch"].map { try result(client.call("token.add", #"{"name":"\#($0)","role":"\#($0)"}"#), "token") }
        func save(_ token: String) async throws -> String {
            let file = scratch.file("saved.tar.gz")
            return try await Running("curl", ["-s", "-m", "60", "-o", file, "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)",
                                              "http://127.0.0.1:\(port)/support"]).finished().text
        }
        #expect(try await save(tokens[1]) == "403")
        #expect(try await save(tokens[0]) == "200")
        let files = try files(of: scratch.file("saved.tar.gz"), scratch)
        #expect(Set(files.keys).isSuperset(of: ["status.json", "settings.json", "log.jsonl", "doctor.txt", "kernel.txt", "version.txt"]))
        let log = String(decoding: files["log.jsonl"] ?? Data(), as: UTF8.self)
        #expect(log.contains("an operator is given what thrum support collects") && log.contains("the token operator"), "\(log)")
        for (name, data) in files { #expect(tokens.allSatisfy { data.range(of: Data($0.utf8)) == nil }, "\(name)") }
        #expect(daemon.terminate() == 0)
    }

    @Test func `without a daemon the rest is there, and what is missing is named with its reason`() async throws {
        let scratch = try Scratch()
        let sessions = scratch.file("sessions")
        try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
        for number in 1...3 { _ = try scratch.write("\(number)\n", to: "sessions/2026-11-2\(number)T10-00-00Z.jsonl") }
        let bundle = scratch.file("bundle.tar.gz")
        let made = try await Running(Programs.thrum, ["support", "--socket", scratch.file("none.sock"), "--sessions", sessions, "-o", bundle,
                                                      "--journals", "2"], environment: ["TMPDIR": scratch.path]).finished()
        #expect(made.status == 0 && made.text.contains("notes.txt"), "\(made.errors)")
        let files = try files(of: bundle, scratch)
        let notes = String(decoding: files["notes.txt"] ?? Data(), as: UTF8.self)
        #expect(notes.contains("status.json: thrum status --json") && notes.contains("is thrumd running?"), "\(notes)")
        #expect(files.keys.filter { $0.hasPrefix("journals/") }.sorted() == ["journals/2026-11-22T10-00-00Z.jsonl", "journals/2026-11-23T10-00-00Z.jsonl"])
        #expect(files["journals/2026-11-23T10-00-00Z.jsonl"] == Data("3\n".utf8))
        #expect(try scratch.contents.allSatisfy { !$0.hasPrefix("thrum-support") }, "nothing is left behind")
    }

    @Test func `programs that hang are ended and noted within the time, and the rest is there`() async throws {
        let scratch = try Scratch()
        let hanging = ["uname", "dpkg-query", "journalctl"]
        try FileManager.default.createDirectory(atPath: scratch.file("programs"), withIntermediateDirectories: true)
        for name in hanging {
            let program = try scratch.write("#!/bin/sh\nexec sleep 600\n", to: "programs/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        }
        let bundle = scratch.file("bundle.tar.gz")
        let path = scratch.file("programs") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let made = try await Running(Programs.thrum, ["support", "--socket", scratch.file("none.sock"), "-o", bundle, "--within", "30", "--journals", "0"],
                                     environment: ["PATH": path]).finished()
        #expect(made.status == 0 && made.text.contains("notes.txt"), "\(made.errors)")
        let files = try files(of: bundle, scratch)
        let notes = String(decoding: files["notes.txt"] ?? Data(), as: UTF8.self)
        for name in hanging {
            #expect(notes.split(separator: "\n").contains { $0.contains(": \(name) ") && $0.hasSuffix("exit status 137") }, "\(notes)")
        }
        #expect(files["system.txt"]?.isEmpty == false, "\(notes)")
    }
}
