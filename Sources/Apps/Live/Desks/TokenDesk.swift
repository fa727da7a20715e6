import CLinux
import Fields
import Glibc
import HTTPServer
import NIOCore
import StateStore
import Wire

/// Gives tokens to those who come over HTTP, or a code by which their device gets one, and takes them back. Only the stage has this class:
/// its state is the event loop's.
final class TokenDesk {
    private var tokens: Tokens
    private var invitations = Invitations()
    private let store: StateStore?
    /// The tokens that the HTTP server lets in; nil without a server.
    private let passes: Passes?

    /// Tells the HTTP server which tokens are good.
    init(_ kept: Kept, _ passes: Passes?) {
        tokens = Tokens(kept.tokens)
        store = kept.store
        self.passes = passes
        tellPasses()
    }

    var list: TokenList { tokens.list }

    /// Makes a token, and answers with it once it is on the disk. Where it cannot be kept, there is none. An operator cannot make another
    /// operator, as whom they could then approve their own prices: only an administrator can.
    func add(named name: String, _ role: Role, byAdministrator isAdministrator: Bool, _ caller: Caller) {
        if let refusal = refusal(of: role, byAdministrator: isAdministrator) { return caller.refuse(refusal) }
        guard !invitations.has(name) else {
            let expected = "a name that nobody is invited by, or token.revoke before it"
            return caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "name", expected: expected, found: "\"\(name)\"")))
        }
        make(name, role, caller) { desk, _, _ in desk.tellPasses() }
    }

    /// Invites a device: answers with a code by which it comes in and gets a token of its own, in its role. Where `name` is nil the device
    /// gets one. `address` is the console's; nil where no pages are served.
    func invite(_ name: String?, _ role: Role, to address: String?, byAdministrator isAdministrator: Bool, _ caller: Caller) {
        if let refusal = refusal(of: role, byAdministrator: isAdministrator) { return caller.refuse(refusal) }
        var random = SystemRandomNumberGenerator()
        let name = name ?? Invitations.deviceName(using: &random)
        do throws(Fault) {
            try tokens.checkRoom(for: name)
            let code = try invitations.invite(name, role, at: monotonicNanoseconds(), using: &random)
            tellPasses()
            expire(in: Invitations.lasting, caller)
            let seconds = Int(Invitations.lasting / 1_000_000_000)
            caller.answer(Invitation(name: name, role: role, code: code, seconds: seconds, address: address))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    /// Gives a device that came by a code its token, once. Its connection, which the code has let in, ends after the answer. Where the
    /// token cannot be made or kept, the device may claim again.
    func claim(by identity: Identity, _ caller: Caller) {
        guard case .invitation(let name) = identity, let role = invitations.claim(name, at: monotonicNanoseconds()) else {
            return caller.refuse(ErrorReply(.refused(.notNow), "who comes by an invitation's code claims a token, once"))
        }
        make(name, role, caller) { desk, caller, isMade in
            guard isMade else { return desk.invitations.giveBack(name) }
            desk.invitations.part(from: name, at: monotonicNanoseconds())
            desk.tellPasses()
            desk.expire(in: Invitations.parting, caller)
            caller.stage.assumeIsolated { stage in
                let by = stage.clients.presence.words(for: .connection(caller.client))
                stage.logger.notice("a device has claimed a token", metadata: ["role": "\(role.rawValue)", "by": "\(by)"])
            }
        }
    }

    /// Ends invitations a little later than `time`, in nanoseconds.
    private func expire(in time: Int64, _ caller: Caller) {
        caller.stage.loop.scheduleTask(in: .nanoseconds(time) + .milliseconds(1)) {
            caller.stage.assumeIsolated { stage in
                stage.desks.tokens.invitations.expire(at: monotonicNanoseconds())
                stage.desks.tokens.tellPasses()
            }
        }
    }

    /// Returns why nobody gets a token of this role; nil where somebody does.
    private func refusal(of role: Role, byAdministrator isAdministrator: Bool) -> ErrorReply? {
        guard store != nil else { return ErrorReply(.refused(.notHere), "there is no state directory to keep a token in") }
        guard role == .operator, !isAdministrator else { return nil }
        let expected = "any other: only root and thrumd's own user make operators, on the control socket: two people publish"
        return ErrorReply(.refused(.notAllowed), fault: Fault(field: "role", expected: expected, found: role.rawValue))
    }

    /// Makes a token, and answers with it once it is on the disk, or says why it is not. `then` is done just before, and is told whether
    /// the token is made.
    private func make(_ name: String, _ role: Role, _ caller: Caller,
                      then: @escaping @Sendable (TokenDesk, Caller, _ isMade: Bool) -> Void) {
        guard let store else {
            then(self, caller, false)
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory to keep a token in"))
        }
        let token: (kept: KeptToken, text: String)
        do throws(Fault) {
            var random = SystemRandomNumberGenerator()
            token = try tokens.add(named: name, role, created: time(nil), using: &random)
        } catch {
            then(self, caller, false)
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        let text = token.text
        Later(caller).commit([.admit(token.kept)], in: store) { stage, problem in
            let desk = stage.desks.tokens
            guard let problem else {
                then(desk, caller, true)
                return caller.answer(NewToken(name: name, role: role, token: text))
            }
            _ = try? desk.tokens.revoke(name)
            // The token is not to get to the disk later, when nobody has its text.
            store.commit([.revoke(token: name)])
            then(desk, caller, false)
            caller.refuse(ErrorReply(.refused(.notKept), "the token is not kept: \(problem.reason)"))
        }
    }

    /// Revokes a token or an invitation at once, and answers when that is on the disk, or why it is not.
    func revoke(named name: String, _ caller: Caller) {
        let isWithdrawn = invitations.withdraw(name)
        // A claimed invitation has become a token, or is about to.
        guard !isWithdrawn || tokens.has(name) else {
            tellPasses()
            return caller.answer(Receipt(frame: nil))
        }
        let kept: String
        do throws(Fault) {
            kept = try tokens.revoke(name)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tellPasses()
        // Without a state directory there is no token that could be revoked.
        guard let store else { return caller.answer(Receipt(frame: nil, notKept: Kept.nowhere.reason)) }
        Later(caller).commit([.revoke(token: kept)], in: store) { _, problem in
            caller.answer(Receipt(frame: nil, notKept: problem?.reason))
        }
    }

    /// Has the HTTP server let in whoever has a token or a code that is good.
    private func tellPasses() { passes?.replace(with: tokens.passes + invitations.passes) }
}

/// Says which person an operator is. Two names are two people; several tokens of one person have one name.
enum OperatorName {
    /// Returns the person's name; nil where nobody knows who it is, or the system does not say what a user is called. Asks the system,
    /// which may wait for a server.
    static func of(_ identity: Identity) -> String? {
        switch identity {
        case .user(let number): user(number)
        case .token(let name): TokenName.person(name)
        case .invitation, .sender, .unknown: nil
        }
    }

    /// Returns a user's name, and none made up from the number: somebody who is asked for twice, once while the system does not answer,
    /// would be two people.
    private static func user(_ number: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 65_536)
        return text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress, getpwuid_r(number, &entry, start, text.count, &found) == 0, found != nil,
                  let name = entry.pw_name else { return nil }
            return String(cString: name)
        }
    }
}
