import Fields
import Files
import HTTPServer
import Publishing
import Wire

/// The invitations that are out: codes by which a device comes in, and gets a token of its own, once. They are in no file, and a restart
/// ends them. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Invitations {
    /// How long a code is good, in nanoseconds.
    static let lasting: Int64 = 600_000_000_000
    /// How long the connection that has claimed its token stays open, in nanoseconds: its answer is to get there.
    static let parting: Int64 = 2_000_000_000
    /// How many there may be at once.
    private static let most = 16
    /// Crockford's base 32, which has no letters that look like digits. Twelve of them are 60 random bits, and nothing else protects
    /// them: `Passes` lets in whoever shows a right code, however many wrong ones came before it. Whoever tries a million a second for ten
    /// minutes hits one of sixteen codes with a chance of one in a hundred million.
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

    /// The passes of those who come by a code, which have no role: the token that is claimed has.
    var passes: [Pass] { open.map { Pass(name: $0.name, role: nil, digest: $0.digest) } }

    /// Whether somebody is invited by this name, in whatever case.
    func has(_ name: String) -> Bool { open.contains { PersonName.areSame($0.name, name) } }

    /// Returns a code for whoever is to have the token called `name`, which no token has. Throws where the name is invited already, or too
    /// many are.
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

    /// Returns the role of the token that the one invited by this name gets now; nil where nobody is, or the token was claimed before.
    mutating func claim(_ name: String, at now: Int64) -> Role? {
        guard let index = open.firstIndex(where: { $0.name == name && !$0.isClaimed && now < $0.until }) else { return nil }
        open[index].isClaimed = true
        return open[index].role
    }

    /// Makes a claim undone, of which no token came: the one invited by this name may claim again.
    mutating func giveBack(_ name: String) {
        for index in open.indices where open[index].name == name { open[index].isClaimed = false }
    }

    /// Has the code of a claimed invitation be good for a moment only, until its connection has its answer.
    mutating func part(from name: String, at now: Int64) {
        for index in open.indices where open[index].name == name && open[index].isClaimed { open[index].until = now + Self.parting }
    }

    /// Takes an invitation back, claimed or not. Returns whether there was one of this name, in whatever case.
    mutating func withdraw(_ name: String) -> Bool {
        let before = open.count
        open.removeAll { PersonName.areSame($0.name, name) }
        return open.count < before
    }

    /// Ends what is over by `now`.
    mutating func expire(at now: Int64) { open.removeAll { $0.until <= now } }

    /// Returns a name for a device that nobody has named: `phone-` and four letters.
    static func deviceName(using random: inout some RandomNumberGenerator) -> String { "phone-" + text(of: 4, using: &random) }

    private static func text(of length: Int, using random: inout some RandomNumberGenerator) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
    }
}
