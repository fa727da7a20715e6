import Foundation
import NIOCore
import NIOPosix
import Registry
import Synchronization
import Testing
import TestSupport

@testable import ControlSocket
@testable import Live
@testable import Wire

/// A service that answers everything, and counts what it was asked. What gets to it has passed the gate.
private final class Passed: ControlService {
    let methods = MethodTable(EngineMethods.all(Registry.pieces.declarations))
    let count = Mutex(0)

    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) {}

    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        count.withLock { $0 += 1 }
        if let id = request.id { reply(Reply.line(result: Receipt(frame: nil), id: id)) }
    }
}

/// Every method, by a connection of each role, in each form that a request has. The connection is the one that WebSockets have, too.
@Suite(.serialized) struct RoleGateTests {
    /// Calls whose parameters are right, so that nothing but the role can refuse them.
    private static let whole = ["output.mute": ["[true]", #"{"on":true}"#], "volume.set": ["[-12]", #"{"level":-12}"#],
                                "output.ceiling": ["[-9]", #"{"level":-9}"#], "preset.set": [#"["quiet-day"]"#, #"{"name":"quiet-day"}"#],
                                "token.add": [#"["x","operator"]"#, #"{"name":"x","role":"operator"}"#],
                                "token.invite": [#"["operator","x"]"#, #"{"role":"watch"}"#], "stop": ["[]", "{}"]]

    /// What a role may do beyond looking: written down by hand.
    private static let changes: [(role: Role, methods: Set<String>)] = [
        (.watch, ["stop"]), (.volume, ["stop", "output.mute", "volume.set"]),
    ]

    /// Connects a client that came this way, and hands it to `body`.
    private func connect(as wayIn: WayIn, _ body: (LineSocket, Passed) throws -> Void) async throws {
        let (service, loop) = (Passed(), MultiThreadedEventLoopGroup.singleton.next())
        let clients = try await ClientList.open(on: loop)
        let limits = Limits(clients: 9, line: 65_536, rate: 100_000, subscribers: 9)
        let scratch = try Scratch()
        let path = scratch.file("c.sock")
        let server = try await ServerBootstrap(group: loop).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    ClientHandler(service, clients, limits, as: wayIn, isLocal: false, identity: .unknown))
            }
        }.bind(unixDomainSocketPath: path).get()
        try body(LineSocket(path), service)
        try await server.close()
        withExtendedLifetime(scratch) {}
    }

    /// Returns the names of the methods whose answers in `lines` are refusals for this role. Each request's id is its method's name.
    private func refused(_ answers: [[String: Any]], as role: Role) -> Set<String> {
        Set(answers.compactMap { answer in
            guard let error = answer["error"] as? [String: Any], error["message"] as? String == role.restriction,
                  (error["data"] as? [String: Any])?["reason"] as? String == "not-allowed" else { return nil }
            return answer["id"] as? String
        })
    }

    private func answers(_ line: String) throws -> [[String: Any]] {
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return read as? [[String: Any]] ?? (read as? [String: Any]).map { [$0] } ?? []
    }

    private func request(_ method: String, _ parameters: String, id: Bool = true) -> String {
        #"{"jsonrpc":"2.0",\#(id ? #""id":"\#(method)","# : "")"method":"\#(method)","params":\#(parameters)}"#
    }

    @Test(arguments: Role.allCases)
    func `each method is refused to a role that may not call it, in every form that a request has`(role: Role) async throws {
        try await connect(as: .token(role)) { client, service in
            let methods = service.methods.methods
            let expected = Set(methods.filter { !role.admits($0.access) }.map(\.name))
            if let changes = Self.changes.first(where: { $0.role == role })?.methods {
                #expect(Set(methods.filter { !$0.access.onlyLooks }.map(\.name)).subtracting(changes) == expected)
            }
            for parameters in ["{}", "[]", "[null]", #"{"nonsense":1}"#] {
                let all = try methods.flatMap { try answers(client.ask(request($0.name, parameters))) }
                #expect(all.count == methods.count && refused(all, as: role) == expected, "\(parameters)")
            }
            // A batch has at most 64 requests.
            var inBatches: Set<String> = []
            for start in stride(from: 0, to: methods.count, by: 32) {
                let batch = methods[start..<min(start + 32, methods.count)].map { request($0.name, "[]") }
                inBatches.formUnion(refused(try answers(client.ask("[" + batch.joined(separator: ",") + "]")), as: role))
            }
            #expect(inBatches == expected)
            for (method, forms) in Self.whole {
                for form in forms {
                    let before = service.count.withLock { $0 }
                    let isRefused = try !refused(answers(client.ask(request(method, form))), as: role).isEmpty
                    #expect(isRefused == expected.contains(method), "\(method) \(form)")
                    #expect(service.count.withLock { $0 } - before == (isRefused ? 0 : 1), "\(method) \(form)")
                }
            }
            // What wants no answer gets no further: the answer to the ping comes after it.
            let before = service.count.withLock { $0 }
            for (method, forms) in Self.whole where expected.contains(method) {
                for form in forms {
                    try client.send(request(method, form, id: false))
                    try client.send("[" + request(method, form, id: false) + "]")
                }
            }
            _ = try client.ask(request("ping", "{}"))
            #expect(service.count.withLock { $0 } == before + 1)
        }
    }

    @Test func `whoever came by an invitation's code gets to the service with five methods only`() async throws {
        try await connect(as: .invitation) { client, service in
            let names = service.methods.names
            let passed = try names.filter { name in
                let error = try answers(client.ask(request(name, "{}"))).first?["error"] as? [String: Any]
                return error?["message"] as? String != WayIn.invitationRestriction
            }
            #expect(passed == ["hello", "ping", "stop", "subscribe", "token.claim"])
            #expect(service.count.withLock { $0 } == passed.count)
        }
    }
}
