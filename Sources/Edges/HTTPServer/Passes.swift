import Files
import NIOCore
import Synchronization
import Wire

/// The rights of a token, or of an invitation's code. The text itself is known to its holder alone.
public struct Pass: Equatable, Sendable {
    /// The name of the token, which says whose it is.
    public var name: String
    /// What the holder may do; nil for the code of an invitation, by which a token is claimed and nothing else is done.
    public var role: Role?
    /// The SHA-256 of the token's text. The text is random and long, so that its digest cannot be turned back.
    public var digest: [UInt8]

    public init(name: String, role: Role?, digest: [UInt8]) {
        self.name = name
        self.role = role
        self.digest = digest
    }
}

/// The valid passes, and the connections that came by them. Thread: any.
public final class Passes: Sendable {
    private struct State {
        var passes: [Pass] = []
        var holders: [ObjectIdentifier: (channel: any Channel, pass: Pass)] = [:]
        var wrong = WrongTokens()
    }

    private let state = Mutex(State())

    public init() {}

    /// Makes these passes valid and no others. Connections that came by another are closed at once.
    public func replace(with passes: [Pass]) {
        let cut = state.withLock { state in
            state.passes = passes
            return state.holders.values.filter { !passes.contains($0.pass) }
        }
        for holder in cut { holder.channel.close(promise: nil) }
    }

    /// The pass of `token`, which a client at `address` shows. A right token is never slowed: it cannot be guessed, and others may have the
    /// same address, behind a proxy for instance. Throws 401, and 429 where too many from there were wrong lately.
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

    /// Notes that a client at `address` has shown a wrong token.
    func noteWrong(from address: String, at now: NIODeadline) { state.withLock { $0.wrong.note(address, at: now) } }

    /// Closes `channel`, which came by `pass`, when that pass is no longer valid.
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

/// Counts the wrong tokens shown lately, by address. A plain value, without a clock.
struct WrongTokens {
    /// The most wrong tokens at once; more are taken as these are forgotten, one after the other.
    private static let most = 10.0
    /// The seconds after which a wrong token is forgotten.
    private static let forgetting = 6.0
    /// The most addresses that are remembered.
    private static let room = 256

    private var counts: [String: (count: Double, at: NIODeadline)] = [:]

    /// The seconds that a client at `address` must wait; nil where it need not.
    func wait(of address: String, at now: NIODeadline) -> Int? {
        let over = count(of: address, at: now) - (Self.most - 1)
        return over > 0 ? Int((over * Self.forgetting).rounded(.up)) : nil
    }

    mutating func note(_ address: String, at now: NIODeadline) {
        let count = count(of: address, at: now) + 1
        if counts[address] == nil, counts.count >= Self.room,
           let least = counts.keys.min(by: { self.count(of: $0, at: now) < self.count(of: $1, at: now) }) {
            counts[least] = nil
        }
        counts[address] = (min(count, Self.most), now)
    }

    private func count(of address: String, at now: NIODeadline) -> Double {
        guard let (count, then) = counts[address] else { return 0 }
        return max(0, count - Double((now - then).nanoseconds) * 1e-9 / Self.forgetting)
    }
}
