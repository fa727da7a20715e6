import Units

/// A day that is over: its figures, the movement that paid its Energy, and the changes of the pet.
struct EndedDay {
    var record: DayRecord
    var award: Movement?
    var changes: [Pet.Change]
}

extension Home {
    /// Ends the day: the daily reset. `midnight` is in the piece's seconds. A fed day counts as `pace` days for growth.
    mutating func endDay(at midnight: Int, _ configuration: Unhooked.Configuration, pace: Int = 1) -> EndedDay {
        let use = today.used.map { DayUse(minutes: $0, limit: limit) }
        // After the clock was set back, the same day ends a second time, and is not paid twice.
        let awarded = history.first { $0.day == day }?.energy ?? 0
        let energy = awarded > 0 || today.paid != nil ? 0 : energyDue(configuration) ?? 0
        let award = energy > 0 ? books.enter(.award, .awarded(energy), key: .rules("award \(day)"), at: midnight) : nil
        let (isFed, buff) = (isFed, buff)
        let changes = pet.endDay(day, isFed: isFed, buff: buff, pace: pace)
        let record = DayRecord(day: day, used: today.used, limit: limit, energy: energy + (today.paid ?? 0), eaten: today.eaten,
                               buff: buff, condition: pet.condition, unfedDays: pet.unfedDays)
        var kept = record
        kept.energy += awarded
        history = (history.filter { $0.day != day } + [kept]).suffix(Self.longestHistory)
        yesterday = use
        today = Today()
        limit = limitToCome(configuration.limit)
        nextLimit = nil
        return EndedDay(record: record, award: award, changes: changes)
    }
}

extension Home {
    /// Returns the Energy that today would earn if it ended now; nil before a report.
    func energyDue(_ configuration: Unhooked.Configuration) -> Int? {
        guard let used = today.used else { return nil }
        let days = [DayUse(minutes: used, limit: limit)] + (yesterday.map { [$0] } ?? [])
        return EnergyAward.energy(days, gamma: configuration.energy.gamma)
    }
}

/// The screen time of one day, and the limit that applied to it, both in minutes.
struct DayUse: Codable, Equatable, Sendable {
    /// The screen time, 0…1,440.
    var minutes: Int
    /// The limit, 1…1,440.
    var limit: Int
}

/// The Energy that a day of restraint earns.
enum EnergyAward {
    static let most = 150

    /// Returns E = round(150 · max(0, 1 − r)^γ), where r is the mean of minutes / limit. Halves are rounded up; with γ = 1 the result
    /// is exact. `days` holds today and, if it was reported, yesterday; no days earn nothing.
    static func energy(_ days: [DayUse], gamma: Double) -> Int {
        guard !days.isEmpty else { return 0 }
        // 1 − r is computed as a fraction of whole numbers, `rest` / `whole`.
        let below = days.reduce(1) { $0 * $1.limit }
        let used = days.reduce(0) { $0 + $1.minutes * (below / $1.limit) }
        let (rest, whole) = (below * days.count - used, below * days.count)
        guard rest > 0 else { return gamma == 0 ? most : 0 }
        guard gamma == 1 else { return energy(rest: Double(rest) / Double(whole), gamma: gamma) }
        return (2 * most * rest + whole) / (2 * whole)
    }

    /// Returns the E of the formula for Energy, where `rest` is the formula's 1 − r. It is computed with floating-point numbers; 0⁰ is 1.
    static func energy(rest: Double, gamma: Double) -> Int {
        guard gamma > 0 else { return most }
        guard rest > 0 else { return 0 }
        return Int((Double(most) * exp2(gamma * log2(rest))).rounded(.toNearestOrAwayFromZero))
    }
}
