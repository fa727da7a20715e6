import NIOPosix
import Registry
import Synchronization
import Testing
import TestSupport

@testable import ControlSocket
@testable import Live
@testable import Wire

/// A service that does nothing, and notes what it was asked.
private final class Asked: ControlService {
    let methods: MethodTable
    let count = Mutex(0)

    init(_ methods: MethodTable) { self.methods = methods }

    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {}
    func disconnected(_ client: Int, because departure: Departure) {}
    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) { count.withLock { $0 += 1 } }
}

/// Every method, every way in, every role. What may be called is written down here by hand, and in the table of docs/authority.md.
@Suite(.serialized) struct WaysInTests {
    private let guide = ProtocolGuide(Registry.pieces.declarations)

    private func allowed(_ way: WayIn) -> Set<String> { Set(guide.methods.filter { way.refusal(of: $0) == nil }.map(\.name)) }

    @Test func `each way in gives one role`() {
        let roles = WayIn.all.map(\.role)
        #expect(roles == [.operator, .watch, .watch, .visitor, .player, .watch, .volume, .operator, .player,
                          .visitor, .watch, .operator, .player, .operator])
        #expect(WayIn.all.map { $0.slotKind(isLocal: false) } == [.controlSocket, .watchers, .controlSocket, .guests, .guests, .guests,
                                                                .guests, .operators, .guests, .guests, .guests, .operators, .guests, .operators])
        #expect(WayIn.all.map { $0.slotKind(isLocal: true) } == [.controlSocket, .watchers, .controlSocket, .pages, .pages, .pages,
                                                               .pages, .operators, .pages, .pages, .pages, .operators, .guests, .operators])
    }

    @Test func `who only plays may do what visitors do but what needs a page, and play chimes, patterns, textures and tones`() {
        let (visitor, player) = (allowed(.token(.visitor)), allowed(.token(.player)))
        #expect(player.subtracting(visitor) == ["chime.play", "haptic.play", "texture.set", "tone"])
        #expect(visitor.subtracting(player) == ["explore.regions", "explore.set", "finger.claim", "purchase.redeem", "speech.say", "speech.stop",
                                                "unhooked.ledger"])
        #expect(allowed(.osc) == player.subtracting(["subscribe", "token.claim"]))
    }

    @Test func `an operator over OSC may direct a show, and nothing that outlasts a forged address`() {
        let show: Set = ["feed.reset", "journal.mark", "output.ceiling", "output.mute", "param.set", "preset.set", "rehearse", "setting.reload",
                         "theme.set"]
        let house = Set(guide.methods.filter { [.act(by: .operator), .act(by: .volume), .hold(by: .operator), .hold(by: .volume)].contains($0.access) }.map(\.name))
        #expect(show.isSubset(of: house))
        #expect(allowed(.oscOperator) == allowed(.user).subtracting(house).union(show).subtracting(["subscribe", "token.claim"]))
    }

    @Test func `no visitor or player is told of files, devices, clients, settings, logs, money or who is who`() {
        let secret: Set = ["client.list", "config.get", "config.history", "device.list", "fault.list", "household.list", "household.query", "journal.path",
                           "ledger.balances", "ledger.entries", "log.list", "output.sinks", "session.list", "session.status", "setting.list", "status",
                           "telemetry.export", "telemetry.unsent", "token.list"]
        let house: Set = ["clock.accept", "daemon.restart", "kiosk.restart", "household.merge", "household.remove", "household.secret", "journal.mark", "noise", "output.ceiling", "output.mute",
                          "param.set", "preset.set", "session.remove", "session.spare", "setting.reload", "theme.load", "theme.set", "token.add", "token.invite", "token.revoke",
                          "unhooked.gift", "unhooked.reset", "volume.set"]
        for way in WayIn.all where way.role == .visitor || way.role == .player {
            #expect(allowed(way).intersection(secret.union(house)) == [], "\(way)")
        }
        #expect(secret.union(house).isSubset(of: allowed(.user)))
    }

    @Test func `who comes by an invitation's code may claim a token, and nothing else that anybody would notice`() {
        #expect(allowed(.invitation) == ["hello", "ping", "stop", "subscribe", "token.claim"])
    }

    @Test func `everybody may stop, by every way in`() {
        for way in WayIn.all { #expect(allowed(way).contains("stop"), "\(way)") }
    }

    /// The gate itself, and not the table: each method as a datagram.
    @Test(arguments: [WayIn.osc, .oscOperator])
    func `OSC is refused what the table says, and nothing else`(way: WayIn) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let service = Asked(MethodTable(EngineMethods.all(Registry.pieces.declarations)))
        let clients = try await ClientList.open(on: loop)
        let refused = Mutex<Set<String>>([])
        let reasons = [Role.player.restriction, "subscriptions are for the socket", WayIn.datagramRestriction]
        let limits = Limits(clients: 9, line: 65_536, rate: 100_000, subscribers: 9)
        try await loop.submit {
            let dispatcher = OSCDispatcher<String>(service, clients, limits, wayIn: { _ in way }, on: loop) { datagram, _ in
                guard case .message(let message)? = try? OSCPacket(datagram), message.address == "/error",
                      case .text(let address)? = message.arguments.first, case .text(let reason)? = message.arguments.last,
                      reasons.contains(reason) else { return }
                refused.withLock { _ = $0.insert(address) }
            }
            for method in service.methods.names {
                dispatcher.take(OSCMessage("/" + method.replacing(".", with: "/")).bytes, from: "somebody")
            }
            dispatcher.close()
        }.get()
        let expected = Set(guide.methods.map(\.name)).subtracting(allowed(way)).map { "/" + $0.replacing(".", with: "/") }
        #expect(refused.withLock { $0 } == Set(expected))
        #expect(service.count.withLock { $0 } > 0)
    }

    @Test func `the page's table is that of the sources`() throws {
        let ways = WayIn.all
        let head = "| method | " + ways.map(\.heading).joined(separator: " | ") + " |"
        let rows = guide.methods.map { method in
            "| `\(method.name)` | " + ways.map { $0.refusal(of: method) == nil ? "yes" : "" }.joined(separator: " | ") + " |"
        }
        let table = [head, "|---" + String(repeating: "|---", count: ways.count) + "|"] + rows
        #expect(try GeneratedText.isWritten(table.joined(separator: "\n") + "\n", in: "docs/authority.md", at: "authority"),
                "make docs writes it anew")
    }
}

extension WayIn {
    fileprivate var heading: String {
        let way = switch self {
        case .user, .watcher: "socket"
        case .spare: "socket, full"
        case .token: "token"
        case .invitation: "invitation"
        case .page: "page"
        case .osc, .oscOperator: "OSC"
        }
        return "\(way): \(role.rawValue)"
    }
}
