import Calendar
import Experience
import Fields

/// Carries out actions, after it is known that they are not refused.
extension Home {
    /// Carries out `move`, which was not refused. Returns the movement that it has made in the books; nil where it moves nothing, or where
    /// a move with the same key was carried out before.
    mutating func act(on move: UnhookedMove, _ configuration: Unhooked.Configuration, at now: Moment) -> Movement? {
        if let key = move.idempotencyKey, books.answered(key) != nil { return nil }
        let movement = perform(move, configuration, at: now.seconds)
        if movement != nil { books.answer(answer) }
        return movement
    }

    private mutating func perform(_ move: UnhookedMove, _ configuration: Unhooked.Configuration, at now: Int) -> Movement? {
        switch move {
        case .report(let minutes): today.used = max(today.used ?? 0, minutes)
        case .limit(let minutes): choose(limit: minutes)
        case .adopt(let species, let name): pet = Pet(number: pet.number, species, name: name ?? Self.standardName, born: pet.born)
        case .feed(let id, let key): return configuration.food(id).map { feed($0, key: key, at: now) }
        case .buy(let id, let key):
            guard let cosmetic = configuration.cosmetic(id) else { return nil }
            wardrobe.append(id)
            return books.enter(.cosmetic, .dressed(cosmetic.price), key: .action(key), item: id, at: now)
        case .wear(let category, let cosmetic): pet.worn[category.rawValue] = cosmetic
        case .cure(let key):
            pet.cure()
            return pay(.cure, configuration, key: key, at: now)
        case .revive(let key):
            pet.revive()
            return pay(.revive, configuration, key: key, at: now)
        case .restart(let species, let name, let key):
            restart(species, name: name)
            return pay(.restart, configuration, key: key, at: now)
        case .purchase(let purchase): return configuration.product(purchase.productId).map { count(purchase, of: $0, at: now) }
        case .track(let name, _): count(name)
        case .gift(let energy, let gems, let by, let key):
            return books.enter(.gift, .given(energy: energy, gems: gems), key: .action(key), item: by, at: now)
        case .remember, .enter, .reset: break
        }
        return nil
    }

    /// Counts a report of the event named `event`. If too many names are counted, drops the one with the fewest reports.
    private mutating func count(_ event: String) {
        today.events = (today.events ?? 0) + 1
        var counts = events ?? [:]
        if counts[event] == nil, counts.count >= Self.mostEventNames {
            let rarest = counts.min { ($0.value, $0.key) < ($1.value, $1.key) }
            if let rarest { counts[rarest.key] = nil }
        }
        counts[event] = min(1_000_000_000, (counts[event] ?? 0) + 1)
        events = counts
    }

    /// Chooses a limit. It applies at once if nothing was reported today, else from the next reset on.
    private mutating func choose(limit minutes: Int) {
        if today.used == nil {
            limit = minutes
            nextLimit = nil
        } else {
            nextLimit = minutes == limit ? nil : minutes
        }
    }

    private mutating func feed(_ food: Food, key: String, at now: Int) -> Movement {
        let effect = food.effect(on: pet.species)
        pet.eat(effect)
        today.eaten += food.energy
        today.buff += effect.thousandths
        return books.enter(.food, .eaten(food.energy), key: .action(key), item: food.id, at: now)
    }

    private mutating func pay(_ recovery: Recovery, _ configuration: Unhooked.Configuration, key: String, at now: Int) -> Movement {
        recoveries.note(recovery, at: now)
        return books.enter(recovery.kind, .healed(recovery.rule(configuration).gems), key: .action(key), at: now)
    }

    /// Enters a purchase or a refund. A refund takes back its part of the purchased Gems, even if they are spent.
    private mutating func count(_ purchase: Purchase, of product: Unhooked.Configuration.Product, at now: Int) -> Movement {
        let gems = product.gems * purchase.quantity
        return purchase.isRefund
            ? books.enter(.refund, .refunded(purchase.takesBack(of: gems)), key: .action(purchase.key.text), item: product.id, at: now)
            : books.enter(.purchase, .bought(gems), key: .action(purchase.key.text), item: product.id, at: now)
    }

    /// Puts the dead pet into the memorial, and starts with another one. Cosmetics that the dead pet wore stay in the wardrobe.
    private mutating func restart(_ species: Species, name: String?) {
        memorial = (memorial + (Memorial(pet).map { [$0] } ?? [])).suffix(Self.mostRemembered)
        pet = Pet(number: pet.number + 1, species, name: name ?? Self.standardName, born: day)
        today.eaten = 0
        today.buff = 0
    }

    /// The answer to an action with a price.
    private var answer: JSONValue {
        .object(["energy": .integer(Int64(books.wallet(.energy))), "gems": .integer(Int64(books.wallet(.gems))),
                 "movement": .integer(Int64(books.count)), "condition": .text(pet.condition.rawValue), "fed": .flag(isFed)])
    }
}
