import TestSupport

/// Unhooked's rules once more, written from their description alone and in another way. It has a clock and a zone of its own, words for
/// states, and a day as a list of plates. It is given what is on the menu, and is never restarted.
struct PetModel {
    enum Answer: Equatable { case done, refused }

    /// A day that is over.
    struct Night: Equatable {
        var day: Int
        var used: Int?
        var limit: Int
        var energy: Int
        var eaten: Int
        /// In thousandths.
        var buff: Int
        var condition: String
        var hungry: Int
        /// Of health, by what it is then.
        var turn: String?
        /// Another stage.
        var stage: String?
    }

    struct Dish: Equatable { var energy: Int, fullness: Int, mood: Int, thousandths: Int }

    /// Something that moves: its kind, and "amount currency from>to" of each transfer.
    struct Move: Equatable { var kind: String, transfers: [String] }

    let zone: Zone
    /// Seconds since 1970-01-01 by the piece's clock.
    private(set) var now: Int
    private(set) var today: Int
    private(set) var energy = 0
    private(set) var gems = 0
    /// All nights that are told.
    private(set) var nights: [Night] = []
    private(set) var moves: [Move] = []
    /// Days that have begun, also those that nobody saw.
    private(set) var mornings = 0
    private(set) var number = 1
    private(set) var isDog = false
    private(set) var state = "healthy"
    private(set) var fullness = 50
    private(set) var mood = 60
    private(set) var fedDays = 0
    /// Days since the last one that was fed, or since a cure, or a new life.
    private(set) var hungry = 0
    /// In thousandths of a day that was fed.
    private(set) var size = 0
    private(set) var worn: [String: String] = [:]
    private(set) var wardrobe: Set<String> = []
    private(set) var graves: [Int] = []
    private(set) var limit = 120
    private(set) var nextLimit: Int?
    private(set) var used: Int?
    private var born: Int
    private var died: Int?
    private var usedBefore: (minutes: Int, limit: Int)?
    private var plates: [Dish] = []
    /// Energy that the day's report has earned at once, in a walk-up; nil before it.
    private var paid: Int?
    /// How often the house has brought its pet back.
    private(set) var revivals = 0
    private let isWalkUp: Bool
    private var fedNights: [Bool] = []
    private var weakFor = 0
    private var uses: [(what: String, at: Int)] = []

    init(at now: Int, zone: Zone, isWalkUp: Bool) {
        (self.now, self.zone, self.isWalkUp) = (now, zone, isWalkUp)
        today = Self.day(now, zone)
        born = today
        move("welcome", energy: 150, "issued", "wallet")
    }

    private static func day(_ now: Int, _ zone: Zone) -> Int { (now + zone.offset(now)) / 86_400 }

    private mutating func move(_ kind: String, energy amount: Int = 0, gems more: Int = 0, _ from: String, _ to: String) {
        var transfers: [String] = []
        if amount > 0 { transfers.append("\(amount) energy \(from).energy>\(to)\(to == "spent.food" ? "" : ".energy")") }
        if more > 0 { transfers.append("\(more) gems \(from).gems>\(to)\(to == "spent.recovery" ? "" : ".gems")") }
        moves.append(Move(kind: kind, transfers: transfers))
        energy += from == "wallet" ? -amount : amount
        gems -= from == "wallet" ? more : -more
    }

    // MARK: What there is to see

    var eaten: Int { plates.reduce(0) { $0 + $1.energy } }
    var isFed: Bool { eaten >= 100 }
    var condition: String { state == "healthy" && weakFor > 0 ? "fragile" : state }
    var age: Int { (died ?? today) - born + 1 }

    /// In thousandths.
    var buff: Int {
        let caps = ["healthy": 250, "fragile": 150, "sick": 100, "dead": 0]
        return min(caps[condition] ?? 0, plates.reduce(0) { $0 + $1.thousandths })
    }

    var stage: String { size >= 60_000 ? "old" : size >= 20_000 ? "grown" : size >= 5_000 ? "young" : "baby" }

    var effects: Set<String> {
        var seen: Set<String> = switch condition {
        case "fragile": ["pale", "bandage"]
        case "sick": ["pale", "shiver", "thermometer"]
        case "dead": ["grey", "still"]
        default: []
        }
        if state != "dead" {
            if fullness < 25 { seen.insert("hungry") }
            if mood < 30 { seen.insert("sad") }
            if mood >= 70 { seen.insert("sparkle") }
        }
        return seen
    }

    /// What the day would earn if it ended now; nil before a report.
    var due: Int? { paid == nil ? worth : 0 }

    private var worth: Int? {
        guard let used else { return nil }
        // 150·(1 − r), r being the mean of two days where both were reported, as a fraction.
        var (top, bottom) = (used, limit)
        if let before = usedBefore { (top, bottom) = (used * before.limit + before.minutes * limit, 2 * limit * before.limit) }
        // The smallest whole number that is not half or more below it.
        var earned = 0
        while 300 * (bottom - top) >= (2 * earned + 1) * bottom { earned += 1 }
        return earned
    }

    // MARK: Time

    /// Days that the machine is off are ended one by one, but for those on which nothing can change any more, because the pet is dead.
    mutating func live(until end: Int, isOff: Bool) {
        now = end
        let last = Self.day(end, zone)
        while today < last {
            night()
            today += 1
            mornings += 1
            if isOff, isWalkUp || state == "dead", today < last {
                usedBefore = nil
                mornings += last - today
                today = last
            }
            guard isWalkUp, state == "dead" else { continue }
            (state, hungry, died, weakFor, fedNights) = ("healthy", 0, nil, 3, [])
            revivals += 1
        }
    }

    private mutating func night() {
        let (earned, fed, had, stageBefore) = (paid ?? due ?? 0, isFed, buff, stage)
        var night = Night(day: today, used: used, limit: limit, energy: earned, eaten: eaten, buff: had, condition: "", hungry: 0)
        if earned > 0, paid == nil { move("award", energy: earned, "issued", "wallet") }
        usedBefore = used.map { ($0, limit) }
        if state != "dead" {
            let before = state
            fedNights.append(fed)
            fullness = max(fullness, 40) - 40
            if fed {
                (hungry, fedDays, size, weakFor) = (0, fedDays + 1, size + 1_000 + had, max(weakFor, 1) - 1)
                mood = min(mood, 95) + 5
            } else {
                hungry += 1
                mood = max(mood, 20) - 20
            }
            if hungry >= 7 {
                (state, died) = ("dead", today)
            } else if hungry >= 3 {
                state = "sick"
            } else if fedNights.suffix(3).filter({ $0 }).count >= 2 {
                state = "healthy"
            }
            if state != before { night.turn = state }
            if stage != stageBefore { night.stage = stage }
        }
        (night.condition, night.hungry) = (condition, hungry)
        nights.append(night)
        (used, paid, plates, limit, nextLimit) = (nil, nil, [], nextLimit ?? limit, nil)
    }

    // MARK: What people do

    mutating func report(_ minutes: Int) -> Answer {
        guard (0...1_440).contains(minutes), paid == nil else { return .refused }
        used = max(minutes, used ?? minutes)
        guard isWalkUp, let worth else { return .done }
        paid = worth
        if worth > 0 { move("award", energy: worth, "issued", "wallet") }
        return .done
    }

    mutating func set(limit minutes: Int) -> Answer {
        guard minutes >= 15, minutes <= 720 else { return .refused }
        if used == nil { (limit, nextLimit) = (minutes, nil) } else { nextLimit = minutes == limit ? nil : minutes }
        return .done
    }

    mutating func adopt(dog: Bool) -> Answer {
        guard number == 1, mornings == 0, plates.isEmpty else { return .refused }
        (isDog, worn) = (dog, [:])
        return .done
    }

    /// `dish` is nil where it is nothing for this pet.
    mutating func feed(_ dish: Dish?) -> Answer {
        guard let dish, state != "dead", dish.energy <= energy else { return .refused }
        move("food", energy: dish.energy, "wallet", "spent.food")
        plates.append(dish)
        fullness = min(100, fullness + dish.fullness)
        mood = min(100, mood + dish.mood)
        return .done
    }

    mutating func buy(_ id: String, energy price: Int, gems more: Int, inSeason: Bool) -> Answer {
        guard inSeason, !wardrobe.contains(id), price <= energy, more == 0 || more <= gems else { return .refused }
        wardrobe.insert(id)
        move("cosmetic", energy: price, gems: more, "wallet", "spent.cosmetics")
        return .done
    }

    mutating func wear(_ id: String, as category: String, of own: String) -> Answer {
        guard wardrobe.contains(id), category == own else { return .refused }
        worn[category] = id
        return .done
    }

    mutating func undress(_ category: String) -> Answer { worn.removeValue(forKey: category) == nil ? .refused : .done }

    func remember(_ pet: Int) -> Answer { graves.contains(pet) ? .done : .refused }

    // MARK: Gems

    mutating func receive(_ gems: Int) -> Answer {
        move("purchase", gems: gems, "issued", "wallet")
        return .done
    }

    /// Also what was spent.
    mutating func refund(_ gems: Int) -> Answer {
        move("refund", gems: gems, "wallet", "issued")
        return .done
    }

    private static let remedies: [String: (for: String, gems: Int, hours: Int, most: Int, days: Int)] = [
        "cure": ("sick", 120, 24, 5, 30), "revive": ("dead", 400, 168, 2, 90), "restart": ("dead", 200, 24, .max, 1),
    ]

    private func isFree(_ what: String, at time: Int) -> Bool {
        guard let remedy = Self.remedies[what] else { return false }
        let before = uses.filter { $0.what == what && $0.at <= time }.map(\.at)
        return before.allSatisfy { time - $0 >= remedy.hours * 3_600 }
            && before.count(where: { time - $0 < remedy.days * 86_400 }) < remedy.most
    }

    /// Seconds until it is free: of the moments at which a cooldown or a window ends, the first that is.
    func wait(for what: String) -> Int {
        guard let remedy = Self.remedies[what] else { return 0 }
        let ends = uses.filter { $0.what == what }.flatMap { [$0.at + remedy.hours * 3_600, $0.at + remedy.days * 86_400] }
        return (ends.filter { $0 > now } + [now]).sorted().first { isFree(what, at: $0) }.map { $0 - now } ?? 0
    }

    /// How often yet in its window; nil where it has none.
    func left(of what: String) -> Int? {
        guard let remedy = Self.remedies[what], remedy.most < .max else { return nil }
        return remedy.most - uses.count { $0.what == what && now - $0.at < remedy.days * 86_400 }
    }

    func isOffered(_ what: String) -> Bool {
        guard let remedy = Self.remedies[what] else { return false }
        return state == remedy.for && gems >= remedy.gems && isFree(what, at: now)
    }

    mutating func heal(_ what: String, dog: Bool = false) -> Answer {
        guard isOffered(what), let remedy = Self.remedies[what] else { return .refused }
        move(what, gems: remedy.gems, "wallet", "spent.recovery")
        uses.append((what, now))
        (state, hungry, died) = ("healthy", 0, nil)
        if what == "revive" { (weakFor, fedNights) = (3, []) }
        guard what == "restart" else { return .done }
        graves = (graves + [number]).suffix(24)
        (number, isDog, born, weakFor, size, fedDays) = (number + 1, dog, today, 0, 0, 0)
        (fullness, mood, fedNights, plates, worn) = (50, 60, [], [], [:])
        return .done
    }
}
