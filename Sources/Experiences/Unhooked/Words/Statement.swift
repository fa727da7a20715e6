import Calendar

/// The books as clients receive them: the balance of every account, and the last movements.
public struct Statement: Encodable, Equatable, Sendable {
    /// The change of an account's balance by a movement.
    public struct Posting: Encodable, Equatable, Sendable {
        public var account: Account
        public var amount: Int
    }

    public struct Line: Encodable, Equatable, Sendable {
        public var number: Int
        public var kind: String
        public var key: String
        /// The time of the movement, in the piece's seconds since 1970-01-01.
        public var at: Int
        public var item: String?
        public var postings: [Posting]

        init(_ movement: Movement) {
            number = movement.number
            kind = movement.kind.rawValue
            key = movement.key.text
            at = movement.at
            item = movement.item
            postings = movement.postings.map { Posting(account: $0.account, amount: $0.amount) }
        }
    }

    /// The balances by account.
    public var balances: [String: Int]
    /// The sum of all balances of each currency: zero.
    public var sums: [String: Int]
    public var movements: Int
    /// The last movements, newest first.
    public var last: [Line]

    init(_ books: Books) {
        balances = Dictionary(uniqueKeysWithValues: Account.allCases.map { ($0.rawValue, books.balance($0)) })
        sums = Dictionary(uniqueKeysWithValues: Currency.allCases.map { ($0.rawValue, books.sum($0)) })
        movements = books.count
        last = books.recent.reversed().map { Line($0.movement) }
    }
}

/// A pet that died.
public struct Grave: Encodable, Equatable, Sendable {
    public var pet: Int
    public var name: String
    public var species: Species
    public var stage: Stage
    /// The pet's first day by the piece's clock. `bornDate` and `diedDate` are the dates, where the piece's days are real ones.
    public var born: Int
    public var bornDate: String?
    public var died: Int
    public var diedDate: String?
    public var days: Int
    public var fedDays: Int
    /// What the pet wore when it died.
    public var worn: Outfit

    init(_ memorial: Memorial, _ time: PieceTime) {
        let it = memorial.pet
        pet = it.number
        name = it.name
        species = it.species
        stage = it.stage
        born = it.born
        bornDate = time.date(of: it.born)
        died = it.died ?? it.born
        diedDate = time.date(of: died)
        days = died - born + 1
        fedDays = it.fedDays
        worn = Outfit(it)
    }
}

/// Pets that died, newest first.
struct MemorialList: Encodable, Sendable {
    var pets: [Grave]

    init(_ home: Home, _ configuration: Unhooked.Configuration, _ time: PieceTime) {
        pets = configuration.flags.memorial ? home.memorial.suffix(configuration.memorial.most).reversed().map { Grave($0, time) } : []
    }
}

/// A pet that hangs on the wall.
public struct Portrait: Encodable, Equatable, Sendable {
    public var name: String
    public var species: Species
    public var stage: Stage
    public var condition: Condition
    public var days: Int
    public var fedDays: Int
    public var worn: Outfit

    init(_ hung: HungPet) {
        (name, species, stage, condition) = (hung.name, hung.species, Stage(growth: hung.growth), hung.condition)
        (days, fedDays, worn) = (hung.days, hung.fedDays, Outfit(hung.worn))
    }
}

/// Visitors' own pets on the wall, newest first.
struct Wall: Encodable, Sendable {
    var pets: [Portrait]

    init(_ hung: [HungPet]) { pets = hung.reversed().map(Portrait.init) }
}

/// All days in the history, oldest first.
struct PetHistory: Encodable, Sendable {
    var days: [DayOver]

    init(_ home: Home, _ time: PieceTime) { days = home.history.map { DayOver($0, time) } }
}
