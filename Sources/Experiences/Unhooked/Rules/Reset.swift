import Calendar

/// A day that is over: what it earned, and what it made of the pet.
struct EndedDay {
    var record: DayRecord
    var award: Movement?
    var changes: [Pet.Change]
}

extension Home {
    /// The daily reset. `midnight` is in the piece's seconds.
    /// A fed day lets the pet grow as `pace` days.
    mutating func endDay(at midnight: Int, _ configuration: Unhooked.Configuration, pace: Int = 1) -> EndedDay {
        let use = today.used.map { DayUse(minutes: $0, limit: limit) }
        // After the clock was set back, a day ends again.
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
    /// What today would earn if it ended now; nil before a report.
    func energyDue(_ configuration: Unhooked.Configuration) -> Int? {
        guard let used = today.used else { return nil }
        let days = [DayUse(minutes: used, limit: limit)] + (yesterday.map { [$0] } ?? [])
        return EnergyAward.energy(days, gamma: configuration.energy.gamma)
    }
}
