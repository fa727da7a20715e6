import Calendar

/// The daily reset, and what comes due meanwhile.
extension Home {
    /// What has happened by itself.
    enum Happening: Equatable, Sendable {
        /// A day is over: what it earned, and what it made of the pet.
        case ended(DayRecord, award: Movement?, changes: [Pet.Change])
        /// A new day. So many before it passed without the machine.
        case turned(daysOff: Int)
    }

    /// Comes to `now`, however long that takes: each day on the way ends once, in its order, also those that the machine was off. `pass` is
    /// told of each, with the household as it is then.
    mutating func advance(to now: Moment, _ configuration: Unhooked.Configuration, _ pass: (Happening, Home) -> Void) {
        recoveries.bound(by: now.seconds)
        if now.dayNumber > day {
            let daysOff = now.dayNumber - day - 1
            while day < now.dayNumber {
                // By the offset that the day had last.
                end(at: (day + 1) * Moment.day - offset, configuration, pass)
                guard pet.health == .dead, now.dayNumber > day + 1 else {
                    day += 1
                    continue
                }
                // Nothing changes any more, and the day before today was not reported.
                day = now.dayNumber
                yesterday = nil
            }
            pass(.turned(daysOff: daysOff), self)
        } else if now.dayNumber < day - 1 {
            // The clock was ahead by more than a day. What it called days to come has been, and none of them is awarded twice.
            day = now.dayNumber
        }
        offset = now.offset
    }

    private mutating func end(at midnight: Int, _ configuration: Unhooked.Configuration, _ pass: (Happening, Home) -> Void) {
        let use = today.used.map { DayUse(minutes: $0, limit: limit) }
        // After the clock was set back, a day ends again.
        let awarded = history.first { $0.day == day }?.energy ?? 0
        let energy = awarded > 0 ? 0 : energyDue(configuration) ?? 0
        let award = energy > 0 ? books.enter(.award, .awarded(energy), key: .rules("award \(day)"), at: midnight) : nil
        let (isFed, buff) = (isFed, buff)
        let changes = pet.endDay(day, isFed: isFed, buff: buff)
        let record = DayRecord(day: day, used: today.used, limit: limit, energy: energy, eaten: today.eaten, buff: buff,
                               condition: pet.condition, unfedDays: pet.unfedDays)
        var kept = record
        kept.energy += awarded
        history = (history.filter { $0.day != day } + [kept]).suffix(Self.longestHistory)
        yesterday = use
        today = Today()
        limit = limitToCome(configuration.limit)
        nextLimit = nil
        pass(.ended(record, award: award, changes: changes), self)
    }

    /// When it wants to be looked at next, in the piece's seconds: at the next full hour, because the zone's offset may be another then.
    func nextWake(after now: Moment) -> Int {
        max(now.seconds + 1, now.seconds(of: (now.secondOfDay / 3_600 + 1) * 3_600, on: now.dayNumber))
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
