import Experience
import Fields
import Foundation
import Registry
import Testing
import TestSupport
import Wire

@testable import Live

@Suite struct EngineMethodsTests {
    private let pieces = Registry.pieces.declarations

    private func table(_ name: String) throws -> MethodTable {
        EngineMethods.table(try #require(pieces.first { $0.name == name }), among: pieces)
    }

    private func read(_ method: String, _ parameters: String, _ table: MethodTable) throws -> Call {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        guard case .single(let request) = Incoming(Array(line.utf8), table) else { preconditionFailure("no batch") }
        return try request.get().read().get().call
    }

    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `what a piece declares has methods while it runs, and is refused by name while another does`(piece: String) throws {
        let table = try table(piece)
        for declaration in pieces {
            for name in declaration.actions.map(\.name) + declaration.queries.map(\.name) {
                if declaration.name == piece {
                    #expect(table[name] != nil, "\(name)")
                } else {
                    let error = try #require(throws: ErrorReply.self) { try read(name, "{}", table) }
                    #expect(error.code == .refused(.notHere) && error.message.contains("because the experience is \(piece)"), "\(name): \(error)")
                }
            }
        }
    }

    @Test func `every method refuses a parameter that its reader does not ask for`() throws {
        let table = try table("colorscroller")
        for name in table.names {
            let error = #expect(throws: ErrorReply.self) { try read(name, #"{"nonsense":1}"#, table) }
            #expect(error?.code == .invalidParams, "\(name)")
        }
    }

    @Test func `who only watches may make those requests that change nothing, and stop`() throws {
        let allowed = try table("direct").methods.filter { Role.watch.admits($0.access) }.map(\.name)
        #expect(allowed == ["chime.list", "client.list", "device.list", "fault.list", "haptic.list", "hello", "journal.path", "output.latency", "output.sinks", "page.drew",
                            "param.get", "param.list", "ping", "preset.list", "rehearsal.list", "rpc.discover", "schedule.week", "session.list", "session.status", "status", "stop",
                            "subscribe", "texture.list", "theme.list", "token.claim"])
        let queries = try table("colorscroller").methods.filter { $0.access.onlyLooks }.map(\.name)
        #expect(queries.filter { $0.hasPrefix("feed.") } == ["feed.cards", "feed.inventory", "feed.leaderboard", "feed.palettes", "feed.state"])
    }

    @Test func `a visitor may touch, and what the piece declares for visitors, and nothing of the house`() throws {
        let allowed = try table("colorscroller").methods.filter { Role.visitor.admits($0.access) && !Role.watch.admits($0.access) }.map(\.name)
        let hidden = try table("colorscroller").methods.filter { Role.watch.admits($0.access) && !Role.visitor.admits($0.access) }.map(\.name)
        #expect(hidden == ["client.list", "device.list", "fault.list", "journal.path", "output.sinks", "session.list", "session.status", "status"])
        #expect(allowed == ["explore.regions", "explore.set", "feed.scroll", "finger.claim", "presence.set", "purchase.redeem", "session.end",
                            "session.start", "speech.say", "speech.stop", "swipe", "tap", "touch"])
        for name in ["preset.set", "theme.set", "output.ceiling", "param.set", "token.add", "token.invite", "telemetry.export", "token.list",
                     "token.revoke", "ledger.balances", "ledger.entries", "household.query", "household.list", "household.merge",
                     "household.remove", "session.remove", "session.spare", "household.secret", "daemon.restart", "kiosk.restart", "config.propose", "config.approve", "config.publish", "config.get", "config.apply"] {
            let access = try #require(table("colorscroller")[name]).access
            #expect(Role.allCases.filter { $0.admits(access) } == [.operator], "\(name)")
        }
    }

    @Test func `who may set the volume may look at what a watcher may, mute, and nothing more`() throws {
        for piece in pieces.map(\.name) {
            let (methods, watched) = (try table(piece).methods, try table(piece).methods.filter { Role.watch.admits($0.access) })
            let allowed = methods.filter { Role.volume.admits($0.access) }.map(\.name)
            #expect(Set(allowed) == Set(watched.map(\.name)).union(["output.mute", "volume.set"]), "\(piece)")
            #expect(watched.allSatisfy { $0.access.onlyLooks || $0.access == .release }, "a watcher changes nothing but by stopping")
        }
    }

    @Test func `the OpenRPC document says of each method which roles may call it`() throws {
        let document = OpenRPC(version: "0", try table("colorscroller").descriptions, TopicTable([]), of: [])
        let json = try String(decoding: JSONEncoder().encode(document), as: UTF8.self)
        #expect(json.contains(##""x-roles":["visitor","player","watch","volume","operator"]"##) && json.contains(##""x-roles":["visitor","player","operator"]"##)
            && json.contains(##""x-roles":["operator"]"##))
    }

    /// The methods of the OpenRPC document of a piece, by name.
    private func documented(_ piece: String) throws -> [String: [String: Any]] {
        let declaration = try #require(pieces.first { $0.name == piece })
        let document = OpenRPC(version: "0", try table(piece).descriptions, TopicTable([declaration]), of: [declaration])
        let json = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(document)) as? [String: Any])
        let methods = try #require(json["methods"] as? [[String: Any]])
        return Dictionary(uniqueKeysWithValues: methods.map { ($0["name"] as? String ?? "", $0) })
    }

    @Test(arguments: [
        ("direct", "hello", [], ["touch.owner"]),
        ("direct", "status", ["not-allowed"], []),
        ("direct", "stop", ["no-room", "cancelled", "overloaded", "too-fast"], []),
        ("direct", "output.mute", ["not-allowed", "no-room", "cancelled", "overloaded", "too-fast"], []),
        ("direct", "volume.set", ["not-allowed", "too-fast"], []),
        ("direct", "token.add", ["not-allowed", "not-here", "not-kept"], []),
        ("direct", "swipe", ["not-allowed", "not-owner", "no-room", "cancelled", "overloaded", "too-fast"], []),
        ("colorscroller", "feed.state", ["not-here"], []),
        ("colorscroller", "feed.reset", ["not-allowed", "not-here", "not-now", "no-room", "cancelled", "overloaded"], ["reset"]),
        ("colorscroller", "swipe", ["not-allowed", "not-owner", "no-room", "cancelled", "overloaded", "too-fast"],
         ["scroll", "unlock", "held", "toast", "palette", "intervention", "counters", "rank"]),
        ("unhooked", "config.publish", ["not-allowed", "not-now", "not-kept", "busy"], ["shop"]),
        ("unhooked", "unhooked.buy", ["not-allowed", "not-here", "not-now", "secret-needed", "not-kept", "no-room", "cancelled", "overloaded",
                                      "too-fast"], ["pet", "purchase", "movement"]),
        ("unhooked", "unhooked.enter", ["not-allowed", "not-here", "not-now", "secret-needed", "secret-wrong", "not-yet", "no-room",
                                        "cancelled", "overloaded", "too-fast"], ["pet", "treat", "wall"]),
    ] as [(String, String, [String], [String])])
    func `the OpenRPC document says why a call may be refused, and under which topics it is told`(
        piece: String, name: String, reasons: [String], topics: [String]
    ) throws {
        let method = try #require(try documented(piece)[name])
        #expect(method["x-reasons"] as? [String] == reasons)
        #expect(method["x-announcements"] as? [String] == topics)
    }

    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `every reason of every method is one that there is, and stands once`(piece: String) throws {
        let known = Set(ErrorReply.Reason.allCases.map(\.rawValue))
        for (name, method) in try documented(piece) {
            let reasons = try #require(method["x-reasons"] as? [String])
            #expect(Set(reasons).count == reasons.count && known.isSuperset(of: reasons), "\(name)")
        }
    }

    @Test func `the OpenRPC document has every reason of a refusal`() throws {
        let document = OpenRPC(version: "0", try table("colorscroller").descriptions, TopicTable([]), of: [])
        let json = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(document)) as? [String: Any])
        let schemas = (json["components"] as? [String: Any])?["schemas"] as? [String: Any]
        let fields = (schemas?["ErrorData"] as? [String: Any])?["properties"] as? [String: Any]
        #expect((fields?["reason"] as? [String: Any])?["enum"] as? [String] == ErrorReply.Reason.allCases.map(\.rawValue))
    }

    @Test func `whoever watches may ask for the topics of any piece, and for no others`() throws {
        for piece in ["direct", "colorscroller"] {
            guard case .command = try read("subscribe", #"{"topics":["unlock"]}"#, table(piece)) else {
                Issue.record("no command")
                return
            }
            let error = try #require(throws: ErrorReply.self) { try read("subscribe", #"{"topics":["weather"]}"#, table(piece)) }
            #expect(error.fault?.field == "topics" && error.fault?.found == "\"weather\"")
        }
    }

    @Test func `each method says what it is for, and each answer has a shape that can be told`() {
        let guide = ProtocolGuide(pieces)
        for method in guide.methods {
            #expect(!method.summary.isEmpty && !method.result.isEmpty && !method.examples.isEmpty, "\(method.name)")
        }
        #expect(guide.parameters(of: "touch").map(\.name) == ["phase", "id", "x", "y", "at", "delay"])
        #expect(guide.parameters(of: "feed.cards").map(\.name) == ["first", "count"])
        #expect(guide.parameters(of: "fly").isEmpty)
    }
}

/// Methods that scripts, examples and pages call by their names.
@Suite struct NamedMethodsTests {
    private let names: Set<String> = {
        let pieces = Registry.pieces.declarations
        return Set(pieces.flatMap { EngineMethods.table($0, among: pieces).names })
    }()

    private static let files: [String] = ["scripts", "examples", "www"].flatMap { folder in
        let found = FileManager.default.enumerator(atPath: repository + "/" + folder)?.allObjects as? [String] ?? []
        return found.sorted().map { "\(folder)/\($0)" }
    }

    @Test func `every method that is called by a script, an example or a page is there`() {
        var count = 0
        for file in Self.files {
            guard let text = try? String(contentsOfFile: repository + "/" + file, encoding: .utf8) else { continue }
            let called = text.matches(of: /(?:engine|line|stage)\.(?:ask|tell|request)\(["']([A-Za-z.]+)["']/).map(\.1)
                + text.matches(of: /thrum send ([a-z][A-Za-z.]*)/).map(\.1)
            for name in called { #expect(names.contains(String(name)), "\(file): \(name)") }
            count += called.count
        }
        #expect(count > 40)
    }
}
