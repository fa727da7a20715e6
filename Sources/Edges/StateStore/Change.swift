import Publishing
import Venue
import Wire

/// One thing to be kept. Changes that are committed together are kept all, or none.
public enum Change: Equatable, Sendable {
    /// What a piece knows of a household, in place of what it knew before. `body` is JSON of at most `StateStore.longestBody` bytes.
    case remember(piece: String, household: String, body: String)
    /// A piece knows nothing of a household any more. The ledger has its entries for good.
    case forget(piece: String, household: String)
    case append(LedgerRow)
    /// What a piece knew of a household and cannot read, as it was kept, and why. It is kept beside the memory for good, each once.
    case setAside(piece: String, household: String, body: String, reason: String)
    /// A household has a secret from now on, in place of another; nil for none. `hash` is a slow hash of it, as text.
    case protect(piece: String, household: String, hash: String?)
    /// The preset that somebody chose by hand; nil gives it back to the schedule.
    case choose(ChosenPreset?)
    /// What the day's ears have had.
    case hear(HearingDay)
    /// Up to where an outbox has been sent, in that outbox's own words.
    case move(cursor: String, to: String)
    /// A version of a document with its steps so far. What stands there of it already stays as it is; steps are added.
    case keep(KeptDocument)
    /// A token is good from now on, in place of another of its name.
    case admit(KeptToken)
    /// The token of this name is good no longer.
    case revoke(token: String)
}

/// A token that was given out. Only its holder knows its text.
public struct KeptToken: Equatable, Sendable {
    /// Whose it is.
    public var name: String
    public var role: Role
    /// SHA-256 of its text, in 64 hexadecimal digits.
    public var digest: String
    /// Seconds since 1970-01-01 in UTC.
    public var created: Int

    public init(name: String, role: Role, digest: String, created: Int) {
        self.name = name
        self.role = role
        self.digest = digest
        self.created = created
    }
}

/// A version of a document of a piece.
public struct KeptDocument: Equatable, Sendable {
    public var piece: String
    /// Its body has at most `StateStore.longestBody` bytes.
    public var version: DocumentVersion

    public init(piece: String, version: DocumentVersion) {
        self.piece = piece
        self.version = version
    }
}

/// Says that changes are on the disk.
public struct Commit: Equatable, Sendable {
    /// Keys of those entries that the ledger had already, in the order in which they were given. They were not recorded again.
    public var known: [String]

    public init(known: [String] = []) { self.known = known }
}

/// Changes that are not on the disk: none of those that were committed together. After a disk that did not answer in time they may
/// still get there.
public struct NotKept: Error, Equatable, CustomStringConvertible {
    public var reason: String

    public init(reason: String) { self.reason = reason }

    public var description: String { reason }
}
