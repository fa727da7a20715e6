/// The rules once more, written from their words alone and in another way: the days of a pet's life as a list, and everything asked of it.
/// It shares the catalogue with the piece, and no rule.
struct PetModel {
    enum Answer: Equatable { case done, refused }

    /// A day that is over.
    struct Night: Equatable {
        var day: Int
        var energy: Int
        var wasFed: Bool
        var state: String
    }

    struct Dish { var energy: Int, fullness: Int, mood: Int, thousandths: Int }

    private(set) var energy = 150
    private(set) var gems: Int
    private(set) var nights: [Night] = []
    private(set) var fullness = 50
    private(set) var mood = 60
    private(set) var graves = 0
    private(set) var spent = 0
    private(set) var state = "healthy"
    private(set) var wardrobe: Set<String> = []
    var today: Int
    private var limit = 120
    private var nextLimit: Int?
    private var used: Int?
    private var ratioBefore: (Int, Int)?
    private var plates: [Dish] = []
    private var fedSince: [Bool] = []
    /// Days since the last one that was fed, or since a cure, or a new life.
    private var hungry = 0
    private var weakFor = 0
    /// In tenths of a percent of a day that was fed.
    private(set) var size = 0
    private var uses: [(what: String, at: Int)] = []

    init(today: Int, gems: Int) {
        self.today = today
        self.gems = gems
    }

    var isFed: Bool { plates.map(\.energy).reduce(0, +) > 99 }
    var isFragile: Bool { state == "healthy" && weakFor > 0 }

    var buff: Int {
        var sum = 0
        for plate in plates { sum += plate.thousandths }
        let most = state == "dead" ? 0 : state == "sick" ? 100 : weakFor > 0 ? 150 : 250
        return sum > most ? most : sum
    }

    mutating func live(until day: Int) {
        while today < day {
            night()
            today += 1
        }
    }

    private mutating func night() {
        var earned = 0
        if let used {
            // 150·(1 − mean), in the smallest number that is not more than a half below.
            var (top, bottom) = (used, limit)
            if let (u, l) = ratioBefore { (top, bottom) = (used * l + u * limit, 2 * limit * l) }
            while 2 * 150 * (bottom - top) >= (2 * earned + 1) * bottom { earned += 1 }
            ratioBefore = (used, limit)
        } else {
            ratioBefore = nil
        }
        energy += earned
        let fed = isFed
        if state != "dead" {
            if fed {
                size += 1_000 + buff
                hungry = 0
                if weakFor > 0 { weakFor -= 1 }
                mood = mood > 95 ? 100 : mood + 5
            } else {
                hungry += 1
                mood = mood < 20 ? 0 : mood - 20
            }
            fullness = fullness < 40 ? 0 : fullness - 40
            fedSince.append(fed)
            let lately = fedSince.suffix(3).filter { $0 }.count
            if hungry == 7 { state = "dead" } else if hungry >= 3 { state = "sick" } else if state == "sick", lately >= 2 { state = "healthy" }
        }
        nights.append(Night(day: today, energy: earned, wasFed: fed, state: state == "healthy" && weakFor > 0 ? "fragile" : state))
        (used, plates) = (nil, [])
        if let next = nextLimit { limit = next }
        nextLimit = nil
    }

    mutating func report(_ minutes: Int) { if minutes > used ?? -1 { used = minutes } }

    mutating func set(limit minutes: Int) -> Answer {
        guard minutes >= 15, minutes <= 720 else { return .refused }
        if used == nil { (limit, nextLimit) = (minutes, nil) } else { nextLimit = minutes }
        return .done
    }

    mutating func feed(_ dish: Dish) -> Answer {
        guard state != "dead", dish.energy <= energy else { return .refused }
        energy -= dish.energy
        spent += dish.energy
        plates.append(dish)
        fullness = min(100, fullness + dish.fullness)
        mood = min(100, mood + dish.mood)
        return .done
    }

    mutating func buy(_ id: String, energy price: Int, gems more: Int, inSeason: Bool) -> Answer {
        guard inSeason, !wardrobe.contains(id), price <= energy, more == 0 || more <= gems else { return .refused }
        wardrobe.insert(id)
        energy -= price
        gems -= more
        return .done
    }

    mutating func heal(_ what: String, at now: Int) -> Answer {
        let (needs, price, hours, most, days): (String, Int, Int, Int, Int) = switch what {
        case "cure": ("sick", 120, 24, 5, 30)
        case "revive": ("dead", 400, 168, 2, 90)
        default: ("dead", 200, 24, 1_000_000, 1)
        }
        let before = uses.filter { $0.what == what }
        guard state == needs, gems >= price else { return .refused }
        guard before.allSatisfy({ now - $0.at >= hours * 3_600 }) else { return .refused }
        guard before.filter({ now - $0.at < days * 86_400 }).count < most else { return .refused }
        gems -= price
        uses.append((what, now))
        (state, hungry) = ("healthy", 0)
        switch what {
        case "cure": break
        case "revive":
            weakFor = 3
            fedSince = []
        default:
            graves = min(24, graves + 1)
            (weakFor, size, fullness, mood, fedSince, plates) = (0, 0, 50, 60, [], [])
        }
        return .done
    }
}
