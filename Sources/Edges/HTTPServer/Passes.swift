import NIOCore
import Synchronization
import Wire

/// What a token admits to. The token itself is known to its holder alone.
public struct Pass: Equatable, Sendable {
    /// Whose it is.
    public var name: String
    public var role: Role
    /// SHA-256 of the token's text. That is random and long, so that its digest cannot be turned back.
    public var digest: [UInt8]

    public init(name: String, role: Role, digest: [UInt8]) {
        self.name = name
        self.role = role
        self.digest = digest
    }
}

/// The passes that are good, and the connections that came by them. Thread: any.
public final class Passes: Sendable {
    private struct State {
        var passes: [Pass] = []
        var holders: [ObjectIdentifier: (channel: any Channel, pass: Pass)] = [:]
        var wrong = WrongTokens()
    }

    private let state = Mutex(State())

    public init() {}

    /// From now on these are good, and no others: who came by another is cut off at once.
    public func replace(with passes: [Pass]) {
        let cut = state.withLock { state in
            state.passes = passes
            return state.holders.values.filter { !passes.contains($0.pass) }
        }
        for holder in cut { holder.channel.close(promise: nil) }
    }

    /// The pass of `token`, which somebody at `address` shows. A right one is never slowed: it cannot be guessed, and others may have
    /// the same address, behind a proxy for instance. Throws 401, and 429 where too many from there were wrong lately.
    func pass(of token: String, from address: String, at now: NIODeadline) throws(HTTPRefusal) -> Pass {
        let digest = Digest.of(Array(token.utf8))
        let (wait, pass) = state.withLock { state in
            // All are compared, whichever it is.
            (state.wrong.wait(of: address, at: now), state.passes.reduce(nil as Pass?) { Digest.areEqual($1.digest, digest) ? $1 : $0 })
        }
        if let pass { return pass }
        if let wait {
            throw HTTPRefusal(.tooManyRequests, "too many wrong tokens: wait \(wait) s", headers: ["Retry-After": "\(wait)"],
                              stranger: .token)
        }
        throw HTTPRefusal(.unauthorized, "this token is unknown, or was revoked", headers: ["WWW-Authenticate": "Bearer"],
                          stranger: .token)
    }

    /// Somebody at `address` has shown a wrong one.
    func noteWrong(from address: String, at now: NIODeadline) { state.withLock { $0.wrong.note(address, at: now) } }

    /// `channel` came by `pass`, and ends with it.
    func hold(_ channel: any Channel, by pass: Pass) {
        let key = ObjectIdentifier(channel)
        let isGood = state.withLock { state in
            guard state.passes.contains(pass) else { return false }
            state.holders[key] = (channel, pass)
            return true
        }
        guard isGood else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.holders[key] = nil } }
    }
}
