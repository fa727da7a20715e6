import Files
import NIOCore
import Synchronization
import Wire

/// The rights that go with a token, or with the code of an invitation. Only its holder knows the text of the token or code.
public struct Grant: Equatable, Sendable {
    /// The name of the token, which says whose token it is.
    public var name: String
    /// The role of the holder; nil for the code of an invitation, with which a device can only claim a token.
    public var role: Role?
    /// The SHA-256 of the token's text. The text is long and random, so it cannot be found from the digest.
    public var digest: [UInt8]

    public init(name: String, role: Role?, digest: [UInt8]) {
        self.name = name
        self.role = role
        self.digest = digest
    }
}

/// The valid tokens and codes of invitations with the rights that go with them, and the connections that were admitted by them. Thread:
/// any.
public final class Grants: Sendable {
    private struct State {
        var grants: [Grant] = []
        var holders: [ObjectIdentifier: (channel: any Channel, grant: Grant)] = [:]
        var wrong = WrongTokens()
        var loans = Loans()
    }

    private let state = Mutex(State())

    public init() {}

    /// Makes `grants` the only valid ones. Closes at once the connections that were admitted by any other grant.
    public func replace(with grants: [Grant]) {
        let cut = state.withLock { state in
            state.grants = grants
            state.loans.keep(of: grants)
            return state.holders.values.filter { !grants.contains($0.grant) }
        }
        for holder in cut { holder.channel.close(promise: nil) }
    }

    /// Returns the grant that belongs to `token`, which a client at `address` has sent. A right token is never delayed: nobody can guess
    /// one, and several clients may have the same address, for instance behind a proxy. Throws 401; 429 after too many recent wrong tokens
    /// from the address.
    func grant(of token: String, from address: String, at now: NIODeadline) throws(HTTPRefusal) -> Grant {
        let digest = Digest.of(Array(token.utf8))
        let (wait, grant) = state.withLock { state in
            // All digests are compared, so that the time does not depend on which one is equal.
            (state.wrong.wait(of: address, at: now), state.grants.reduce(nil as Grant?) { Digest.areEqual($1.digest, digest) ? $1 : $0 })
        }
        if let grant { return grant }
        if let wait {
            throw HTTPRefusal(.tooManyRequests, "too many wrong tokens: wait \(wait) s", headers: ["Retry-After": "\(wait)"],
                              stranger: .token)
        }
        throw HTTPRefusal(.unauthorized, "this token is unknown, or was revoked", headers: ["WWW-Authenticate": "Bearer"],
                          stranger: .token)
    }

    /// Lends `grant` for an hour: returns a random text that stands for the grant during that time. A browser can keep the text as a
    /// cookie, without having the token itself.
    func lend(_ grant: Grant, at now: NIODeadline) -> String {
        var random = SystemRandomNumberGenerator()
        let text = Digest.hexadecimal((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        state.withLock { $0.loans.add(Digest.of(Array(text.utf8)), of: grant, at: now) }
        return text
    }

    /// Returns the grant for which the text `text` was given out by `lend`; nil where nobody got this text, its hour is over, or its grant
    /// is not valid any more.
    func grant(lentAs text: String, at now: NIODeadline) -> Grant? {
        let digest = Digest.of(Array(text.utf8))
        return state.withLock { $0.loans.grant(of: digest, at: now) }
    }

    /// Notes that a client at `address` has sent a wrong token.
    func noteWrong(from address: String, at now: NIODeadline) { state.withLock { $0.wrong.note(address, at: now) } }

    /// Closes `channel`, which was admitted by `grant`, as soon as that grant is not valid any more. May be called
    /// again for a further request.
    func hold(_ channel: any Channel, by grant: Grant) {
        let key = ObjectIdentifier(channel)
        let (isGood, isKnown) = state.withLock { state in
            guard state.grants.contains(grant) else { return (false, false) }
            return (true, state.holders.updateValue((channel, grant), forKey: key) != nil)
        }
        guard isGood else { return channel.close(promise: nil) }
        guard !isKnown else { return }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.holders[key] = nil } }
    }
}

/// The loans: random texts that each stand for a grant for an hour. A plain value, which gets the time from its callers.
struct Loans {
    /// The time for which a grant is lent.
    static let time = TimeAmount.hours(1)
    /// The largest number of loans; the oldest one gives way.
    private static let room = 256
    /// The largest number of loans of one grant; its oldest loan gives way.
    private static let share = 8

    private var loans: [(digest: [UInt8], grant: Grant, end: NIODeadline)] = []

    /// Adds a loan of `grant`, whose text has the SHA-256 `digest`.
    mutating func add(_ digest: [UInt8], of grant: Grant, at now: NIODeadline) {
        loans.removeAll { $0.end <= now }
        let own = loans.indices.filter { loans[$0].grant == grant }
        if own.count >= Self.share { loans.remove(at: own[0]) } else if loans.count >= Self.room { loans.removeFirst() }
        loans.append((digest, grant, now + Self.time))
    }

    /// Ends the loans of all grants that are not among `grants`.
    mutating func keep(of grants: [Grant]) { loans.removeAll { !grants.contains($0.grant) } }

    func grant(of digest: [UInt8], at now: NIODeadline) -> Grant? {
        loans.last { Digest.areEqual($0.digest, digest) && $0.end > now }?.grant
    }
}

/// Counts the recent wrong tokens, by address. A plain value, which gets the time from its callers.
struct WrongTokens {
    /// The number of wrong tokens after which an address must wait until some are forgotten.
    private static let most = 10.0
    /// The seconds after which one more of an address's wrong tokens is forgotten.
    private static let forgetting = 6.0
    /// The largest number of addresses that are stored.
    private static let room = 256

    private var counts: [String: (count: Double, at: NIODeadline)] = [:]

    /// Returns the seconds that a client at `address` must wait; nil where it need not wait.
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
