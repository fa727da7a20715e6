import Calendar
import Experience
import Signals

extension Unhooked {
    /// The announcements that are rehearsed: what a pet may show in the afternoon of 31 January 2026, with real days and with the standard
    /// foods and cosmetics.
    static let rehearsal = Rehearsal(query: "unhooked.state") { $0 as? PetState } scenes: { Example.scenes }
}

/// Examples of what the piece may announce.
private enum Example {
    typealias Scene = Rehearsal.Scene

    static var scenes: [Scene] {
        pets + days + changes + deeds + walkUp + movements
    }

    private static let time = PieceTime(dayMinutes: PieceTime.realDay)
    private static let day = 20_484
    private static let now = Moment(seconds: day * Moment.day + 56_000, offset: 0)
    private static let standard = Unhooked.Configuration.standard

    /// Returns an example household, after `change` has been applied to it.
    private static func home(_ change: (inout Home) -> Void = { _ in }) -> Home {
        var home = Home(Days(Household.home, time, at: now), standard)
        home.pet.born = day - 11
        home.pet.fedDays = 9
        home.pet.growth = Stage.young.from
        home.today.used = 70
        home.books.enter(.welcome, .awarded(150), key: .rules("welcome"), at: now.seconds)
        home.books.enter(.purchase, .bought(500), key: .rules("rehearsal"), item: "gems_500", at: now.seconds)
        change(&home)
        return home
    }

    private static let dead = home {
        $0.pet.health = .dead
        $0.pet.died = day
        $0.pet.unfedDays = Pet.deadAfter
        ($0.pet.fullness, $0.pet.mood) = (0, 0)
    }

    private static var pets: [Scene] {
        func scene(_ name: String, _ home: Home) -> Scene { Scene(name, PetState(home, standard, time, at: now)) }
        let stages = [Species.cat, .dog].flatMap { species in
            Stage.allCases.map { stage in
                scene("\(species.rawValue)-\(stage.rawValue)", home {
                    $0.pet.species = species
                    $0.pet.growth = stage.from
                })
            }
        }
        let worn = Cosmetic.Category.allCases.map { category in
            scene("wears-\(category.rawValue)", home { $0.pet.worn[category.rawValue] = Self.cosmetic(category)?.id })
        }
        return stages + [
            scene("hungry", home { $0.pet.fullness = 10 }),
            scene("sad", home { $0.pet.mood = 10 }),
            scene("sparkling", home { $0.pet.mood = 90 }),
            scene("fed", home { $0.today.eaten = Pet.meal }),
            scene("fragile", home { $0.pet.fragile = Pet.fragileDays }),
            scene("sick", home {
                $0.pet.health = .sick
                $0.pet.unfedDays = Pet.sickAfter
            }),
            scene("dead", dead),
        ] + worn
    }

    private static func cosmetic(_ category: Cosmetic.Category) -> Cosmetic? { standard.cosmetics.first { $0.category == category } }

    private static var days: [Scene] {
        func over(_ name: String, used: Int?, energy: Int, eaten: Int, unfed: Int, _ condition: Condition) -> Scene {
            let record = DayRecord(day: day, used: used, limit: 120, energy: energy, eaten: eaten, buff: 50, condition: condition,
                                   unfedDays: unfed)
            return Scene(name, DayOver(record, time))
        }
        return [
            over("fed", used: 70, energy: 120, eaten: 100, unfed: 0, .healthy),
            over("over-limit", used: 200, energy: 0, eaten: 30, unfed: 1, .healthy),
            over("nothing-reported", used: nil, energy: 0, eaten: 0, unfed: 3, .sick),
            Scene("next", DayBegun(day: day + 1, date: time.date(of: day + 1), daysOff: 0)),
            Scene("after-days-off", DayBegun(day: day + 4, date: time.date(of: day + 4), daysOff: 3)),
        ]
    }

    private static var changes: [Scene] {
        let sick = home {
            $0.pet.health = .sick
            $0.pet.unfedDays = Pet.sickAfter
        }
        let health: [(String, Pet.Change, Pet)] = [
            ("sick", .fellSick, sick.pet), ("died", .died, dead.pet), ("recovered", .recovered, home().pet),
        ]
        return health.compactMap { name, change, pet in HealthChange(change, pet, day: day).map { Scene(name, $0) } }
            + Stage.allCases.filter { $0 != .baby }.map { Scene($0.rawValue, Grew(stage: $0, fedDays: $0.from / 1_000)) }
    }

    private static var deeds: [Scene] {
        let meals = standard.foods.map { food in
            Scene(food.id, Meal(food, home {
                $0.pet.species = food.species == .dog ? .dog : .cat
                $0.pet.eat(food.effect(on: $0.pet.species))
                $0.today.eaten = food.energy
            }))
        }
        let purchases = Cosmetic.Category.allCases.compactMap { category in
            cosmetic(category).map { Scene(category.rawValue, Bought($0, day: day)) }
        }
        let healed: [(Recovery, Home)] = [(.cure, home { $0.pet.unfedDays = Pet.sickAfter }), (.revive, dead), (.restart, dead)]
        let recoveries = healed.map { recovery, home in
            Scene(recovery.rawValue, Recovered(recovery, gems: recovery.rule(standard).gems, home.pet, day: day))
        }
        return meals + purchases + [
            Scene("bought", GemsBought(day: day, product: "gems_500", gems: 500, isRefund: false)),
            Scene("refunded", GemsBought(day: day, product: "gems_500", gems: 500, isRefund: true)),
        ] + recoveries + (Memorial(dead.pet).map { [Scene("remembered", Remembered($0, time))] } ?? [])
            + [Scene("published", ShopChanged(version: 1))]
    }

    private static var walkUp: [Scene] {
        [
            Scene("under-limit", Earned(day: day, usedMinutes: 30, limitMinutes: 120, energy: 113)),
            Scene("over-limit", Earned(day: day, usedMinutes: 200, limitMinutes: 120, energy: 0)),
            Scene("stayed", StayedAway(day: day, gems: 40, left: 5)),
            Scene("good-days", Treated(day: day, goodDays: 2, eaten: 200, isFed: true)),
            Scene("tracked", Tracked(day: day, name: "custom_event", value: "value", count: 1)),
            Scene("alive", Hung(portrait: Portrait(HungPet(home())))),
            Scene("died", Hung(portrait: Portrait(HungPet(dead)))),
        ]
    }

    /// A movement of each kind.
    private static var movements: [Scene] {
        let sums: [(Movement.Kind, Movement.Sum, String?)] = [
            (.welcome, .awarded(150), nil), (.award, .awarded(120), nil), (.food, .eaten(50), "kibble"),
            (.cosmetic, .dressed(Cosmetic.Price(energy: 100, gems: 40)), "star-glasses"), (.cure, .healed(120), nil),
            (.revive, .healed(400), nil), (.restart, .healed(200), nil), (.purchase, .bought(500), "gems_500"),
            (.refund, .refunded(500), "gems_500"),
            (.away, .stayedAway(40), nil), (.gift, .given(energy: 0, gems: 200), "Ada"), (.treat, .treated(100), nil),
            (.returned, .returned(energy: 50, gems: 40), nil),
        ]
        return sums.enumerated().map { index, sum in
            let movement = Movement(number: index + 1, sum.0, sum.1, key: .rules("rehearsal"), item: sum.2, at: now.seconds)
            return Scene(sum.0.rawValue, Moved(movement))
        }
    }
}
