import Fields
import Files
import HTTPServer
import Publishing
import Wire

/// The open invitations: codes by which a device connects once and gets a token of its own. They are in no file, so a restart ends them. A
/// plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct Invitations {
    /// The time for which a code is valid, in nanoseconds.
    static let lasting: Int64 = 600_000_000_000
    /// The time for which a connection stays open after it has claimed its token, in nanoseconds, so that it gets the answer.
    static let parting: Int64 = 2_000_000_000
    /// The largest number of invitations at once.
    private static let most = 16
    /// Crockford's base 32, which has no letters that look like digits. Twelve characters are 60 random bits. Nothing but these bits
    /// protects a code: `Grants` accepts a right code after any number of wrong ones. A million tries a second for ten minutes find one of
    /// sixteen codes with a chance of one in a hundred million.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let length = 12

    private struct Invitation {
        var name: String
        var role: Role
        var digest: [UInt8]
        var until: Int64
        var isClaimed = false
    }

    private var open: [Invitation] = []

    /// What the HTTP server must know of each code in order to admit a device that connects by it. The grants have no role; the token that
    /// the device claims has one.
    var grants: [Grant] { open.map { Grant(name: $0.name, role: nil, digest: $0.digest) } }

    /// Whether there is an invitation with this name, without regard to case.
    func has(_ name: String) -> Bool { open.contains { PersonName.areSame($0.name, name) } }

    /// Returns a code for the device that will get the token called `name`; no token has this name yet. Throws where the name is invited
    /// already, or too many invitations are open.
    mutating func invite(_ name: String, _ role: Role, at now: Int64, using random: inout some RandomNumberGenerator)
        throws(Fault) -> String {
        guard !has(name) else {
            throw Fault(field: "name", expected: "a name that nobody is invited by, or token.revoke before it", found: "\"\(name)\"")
        }
        guard open.count < Self.most else {
            throw Fault(field: "name", expected: "at most \(Self.most) invitations, each for ten minutes", found: "another")
        }
        let code = Self.text(of: Self.length, using: &random)
        open.append(Invitation(name: name, role: role, digest: Digest.of(Array(code.utf8)), until: now + Self.lasting))
        return code
    }

    /// Claims the invitation called `name`, and returns the role of its token; nil where there is no such invitation, or it has been
    /// claimed.
    mutating func claim(_ name: String, at now: Int64) -> Role? {
        guard let index = open.firstIndex(where: { $0.name == name && !$0.isClaimed && now < $0.until }) else { return nil }
        open[index].isClaimed = true
        return open[index].role
    }

    /// Undoes a claim whose token could not be made: the invited device may claim again.
    mutating func giveBack(_ name: String) {
        for index in open.indices where open[index].name == name { open[index].isClaimed = false }
    }

    /// Lets the claimed invitation called `name` expire `parting` after `now`, which is enough for its connection to get the answer.
    mutating func part(from name: String, at now: Int64) {
        for index in open.indices where open[index].name == name && open[index].isClaimed { open[index].until = now + Self.parting }
    }

    /// Withdraws an invitation, claimed or not. Returns whether there was one with this name, without regard to case.
    mutating func withdraw(_ name: String) -> Bool {
        let before = open.count
        open.removeAll { PersonName.areSame($0.name, name) }
        return open.count < before
    }

    /// Removes the invitations that have expired by `now`.
    mutating func expire(at now: Int64) { open.removeAll { $0.until <= now } }

    /// Returns a name for a device to which nobody gave one: `phone-` and four random characters.
    static func deviceName(using random: inout some RandomNumberGenerator) -> String { "phone-" + text(of: 4, using: &random) }

    private static func text(of length: Int, using random: inout some RandomNumberGenerator) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
    }
}
