import Calendar
import Experience
import Fields

/// The reasons for which actions are refused.
extension Home {
    func refusal(of move: UnhookedMove, _ configuration: Unhooked.Configuration, at now: Moment) -> Fault? {
        // An action that was answered before is not refused: it gets the same answer again.
        if let key = move.idempotencyKey, books.answered(key) != nil { return nil }
        switch move {
        case .report, .enter, .reset: return nil
        case .limit(let minutes):
            let allowed = configuration.limit.least...configuration.limit.most
            guard !allowed.contains(minutes) else { return nil }
            return Fault(field: "minutes", expected: "from \(allowed.lowerBound) to \(allowed.upperBound)", found: "\(minutes)")
        case .adopt:
            guard !isUntouched else { return nil }
            return Fault(field: "species", expected: "a household whose first pet is as it came", found: "\(pet.name), who lives here")
        case .feed(let food, _): return refusal(ofFood: food, configuration)
        case .buy(let cosmetic, _): return refusal(ofCosmetic: cosmetic, configuration)
        case .wear(let category, let cosmetic?):
            guard wardrobe.contains(cosmetic), let item = configuration.cosmetic(cosmetic) else {
                return Fault(field: "cosmetic", expected: "one that is in the wardrobe", found: "\"\(cosmetic)\"")
            }
            guard item.category != category else { return nil }
            return Fault(field: "category", expected: item.category.rawValue, found: category.rawValue)
        case .wear(let category, nil):
            return pet.worn[category.rawValue] == nil ? Fault(field: "category", expected: "one of which something is worn",
                                                             found: category.rawValue) : nil
        case .cure: return refusal(of: .cure, configuration, at: now)
        case .revive: return refusal(of: .revive, configuration, at: now)
        case .restart: return refusal(of: .restart, configuration, at: now)
        case .remember(let number):
            guard configuration.flags.memorial else { return off("memorial") }
            guard !memorial.contains(where: { $0.pet.number == number }) else { return nil }
            return Fault(field: "pet", expected: "a pet of the memorial", found: "\(number)")
        case .purchase(let purchase): return refusal(of: purchase, configuration)
        case .track(let name, _):
            let events = configuration.additions?.events ?? []
            guard events.contains(name) else {
                let expected = events.isEmpty ? "no event, because none is published" : "one of " + events.joined(separator: ", ")
                return Fault(field: "name", expected: expected, found: "\"\(name)\"")
            }
            let most = Unhooked.Configuration.Additions.mostEvents
            return today.events ?? 0 < most ? nil : Fault(field: "name", expected: "at most \(most) events a day", found: "one more")
        case .gift(let energy, let gems, _, _):
            return energy + gems > 0 ? nil : Fault(field: "energy", expected: "more than 0, or Gems", found: "0")
        }
    }

    private func off(_ flag: String) -> Fault { Fault(field: "", expected: "\(flag), which this place has switched off") }

    private func lack(of amount: Int, _ currency: Currency) -> Fault? {
        guard !books.has(amount, currency) else { return nil }
        let name = currency == .energy ? "Energy" : "Gems"
        return Fault(field: currency.rawValue, expected: "\(amount) \(name)", found: "\(books.wallet(currency))")
    }

    /// Returns why a purchase or refund is refused; nil where it is not. Refunds are accepted even while purchases are switched off,
    /// because they take back what was given.
    private func refusal(of purchase: Purchase, _ configuration: Unhooked.Configuration) -> Fault? {
        guard configuration.flags.purchases || purchase.isRefund else { return off("purchases") }
        if let product = configuration.product(purchase.productId) { return purchase.refusal(ofRefundOf: product.gems * purchase.quantity) }
        let products = configuration.products.map(\.id).joined(separator: ", ")
        return Fault(field: "productId", expected: products.isEmpty ? "no product" : "one of \(products)",
                     found: "\"\(purchase.productId)\"")
    }

    func refusal(ofFood id: String, _ configuration: Unhooked.Configuration) -> Fault? {
        guard configuration.flags.food else { return off("food") }
        guard let food = configuration.food(id), food.species.includes(pet.species) else {
            return Fault(field: "food", expected: "one that a \(pet.species.rawValue) eats", found: "\"\(id)\"")
        }
        guard pet.health != .dead else { return Fault(field: "food", expected: "a living pet", found: "\(pet.name), who is dead") }
        return lack(of: food.energy, .energy)
    }

    func refusal(ofCosmetic id: String, _ configuration: Unhooked.Configuration) -> Fault? {
        guard configuration.flags.cosmetics else { return off("cosmetics") }
        guard let cosmetic = configuration.cosmetic(id), cosmetic.isForSale else {
            return Fault(field: "cosmetic", expected: "one of the shop", found: "\"\(id)\"")
        }
        guard !wardrobe.contains(id) else {
            return Fault(field: "cosmetic", expected: "one that is not in the wardrobe", found: "\"\(id)\"")
        }
        if let season = cosmetic.season, configuration.season(season)?.includes(day) != true {
            return Fault(field: "cosmetic", expected: "one of this time of the year", found: "\"\(id)\", of the season \(season)")
        }
        return lack(of: cosmetic.price.energy, .energy) ?? lack(of: cosmetic.price.gems, .gems)
    }

    func refusal(of recovery: Recovery, _ configuration: Unhooked.Configuration, at now: Moment) -> Fault? {
        guard configuration.flags.recovery else { return off("recovery") }
        guard pet.health == recovery.heals else {
            return Fault(field: "", expected: "a pet that is \(recovery.heals.rawValue)", found: "one that is \(pet.health.rawValue)")
        }
        let rule = recovery.rule(configuration)
        if let window = rule.window, recoveries.used(recovery, window, at: now.seconds) >= window.most {
            return Fault(field: "", expected: "at most \(window.most) in \(window.days) days", found: "one more")
        }
        let wait = recoveries.next(recovery, rule, at: now.seconds) - now.seconds
        guard wait <= 0 else {
            return Fault(field: "", expected: "\(rule.cooldownHours) h from one to the next",
                         found: "\((wait + 3_599) / 3_600) h too early")
        }
        return lack(of: rule.gems, .gems)
    }
}
