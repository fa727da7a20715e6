import CLinux
import Fields
import Glibc
import HTTPServer
import NIOCore
import StateStore
import Wire

/// Issues tokens to people who connect over HTTP, issues codes by which a device gets a token, and revokes both. Only the stage has this
/// class, so its state belongs to the event loop.
final class TokenDesk {
    private var tokens: Tokens
    private var invitations = Invitations()
    private let store: StateStore?
    /// The valid tokens and codes as the HTTP server has them, with the rights that they give; nil where there is no HTTP server.
    private let grants: Grants?

    /// Takes over the stored tokens, and passes them to the HTTP server.
    init(_ kept: Kept, _ grants: Grants?) {
        tokens = Tokens(kept.tokens)
        store = kept.store
        self.grants = grants
        tellGrants()
    }

    var list: TokenList { tokens.list }

    /// Makes a token, and answers with it once it is on the disk. If it cannot be stored, no token is made. Only an administrator can make
    /// an operator: other operators could make a second one for themselves, and approve their own prices.
    func add(named name: String, _ role: Role, byAdministrator isAdministrator: Bool, _ caller: Caller) {
        if let refusal = refusal(of: role, byAdministrator: isAdministrator) { return caller.refuse(refusal) }
        guard !invitations.has(name) else {
            let expected = "a name that nobody is invited by, or token.revoke before it"
            return caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "name", expected: expected, found: "\"\(name)\"")))
        }
        make(name, role, caller) { desk, _, _ in desk.tellGrants() }
    }

    /// Invites a device: answers with a code by which the device connects and gets a token with the role `role`. Where `name` is nil, a
    /// name is made up. `address` is the address of the console's page; nil where no pages are served.
    func invite(_ name: String?, _ role: Role, to address: String?, byAdministrator isAdministrator: Bool, _ caller: Caller) {
        if let refusal = refusal(of: role, byAdministrator: isAdministrator) { return caller.refuse(refusal) }
        var random = SystemRandomNumberGenerator()
        let name = name ?? Invitations.deviceName(using: &random)
        do throws(Fault) {
            try tokens.checkRoom(for: name)
            let code = try invitations.invite(name, role, at: monotonicNanoseconds(), using: &random)
            tellGrants()
            expire(in: Invitations.lasting, caller)
            let seconds = Int(Invitations.lasting / 1_000_000_000)
            caller.answer(Invitation(name: name, role: role, code: code, seconds: seconds, address: address))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    /// Gives a device that connected by a code its token, once. Its connection, which the code admitted, ends after the answer. If the
    /// token cannot be made or stored, the device may claim again.
    func claim(by identity: Identity, _ caller: Caller) {
        guard case .invitation(let name) = identity, let role = invitations.claim(name, at: monotonicNanoseconds()) else {
            return caller.refuse(ErrorReply(.refused(.notNow), "who comes by an invitation's code claims a token, once"))
        }
        make(name, role, caller) { desk, caller, isMade in
            guard isMade else { return desk.invitations.giveBack(name) }
            desk.invitations.part(from: name, at: monotonicNanoseconds())
            desk.tellGrants()
            desk.expire(in: Invitations.parting, caller)
            caller.stage.assumeIsolated { stage in
                let by = stage.clients.presence.words(for: .connection(caller.client))
                stage.logger.notice("a device has claimed a token", metadata: ["role": "\(role.rawValue)", "by": "\(by)"])
            }
        }
    }

    /// Removes expired invitations a little later than `time` from now; `time` is in nanoseconds.
    private func expire(in time: Int64, _ caller: Caller) {
        caller.stage.loop.scheduleTask(in: .nanoseconds(time) + .milliseconds(1)) {
            caller.stage.assumeIsolated { stage in
                stage.desks.tokens.invitations.expire(at: monotonicNanoseconds())
                stage.desks.tokens.tellGrants()
            }
        }
    }

    /// Returns why no token with this role may be made; nil where one may.
    private func refusal(of role: Role, byAdministrator isAdministrator: Bool) -> ErrorReply? {
        guard store != nil else { return ErrorReply(.refused(.notHere), "there is no state directory to keep a token in") }
        guard role == .operator, !isAdministrator else { return nil }
        let expected = "any other: only root and thrumd's own user make operators, on the control socket: two people publish"
        return ErrorReply(.refused(.notAllowed), fault: Fault(field: "role", expected: expected, found: role.rawValue))
    }

    /// Makes a token, and answers with it once it is on the disk, or with the reason why it is not. `then` is called just before the
    /// answer, with whether the token was made.
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
            // The token must not get to the disk later, because nobody has its text.
            store.commit([.revoke(token: name)])
            then(desk, caller, false)
            caller.refuse(ErrorReply(.refused(.notKept), "the token is not kept: \(problem.reason)"))
        }
    }

    /// Revokes a token or an invitation at once. Answers when that is on the disk, or with the reason why it is not.
    func revoke(named name: String, _ caller: Caller) {
        let isWithdrawn = invitations.withdraw(name)
        // A claimed invitation has become a token, or is about to become one.
        guard !isWithdrawn || tokens.has(name) else {
            tellGrants()
            return caller.answer(Receipt(frame: nil))
        }
        let kept: String
        do throws(Fault) {
            kept = try tokens.revoke(name)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tellGrants()
        // Without a state directory there is no token that could be revoked.
        guard let store else { return caller.answer(Receipt(frame: nil, notKept: Kept.nowhere.reason)) }
        Later(caller).commit([.revoke(token: kept)], in: store) { _, problem in
            caller.answer(Receipt(frame: nil, notKept: problem?.reason))
        }
    }

    /// Passes all valid tokens and codes to the HTTP server.
    private func tellGrants() { grants?.replace(with: tokens.grants + invitations.grants) }
}

/// Says which person an operator is. Two different names count as two people; several tokens of one person share a name.
enum OperatorName {
    /// Returns the person's name; nil where the person is unknown, or the system does not return a user's name. Asking the system may wait
    /// for a server.
    static func of(_ identity: Identity) -> String? {
        switch identity {
        case .user(let number): user(number)
        case .token(let name): TokenName.person(name)
        case .invitation, .sender, .unknown: nil
        }
    }

    /// Returns a user's name. There is no substitute made from the number: if the system failed to answer once, one user would have two
    /// names, and would count as two people.
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
