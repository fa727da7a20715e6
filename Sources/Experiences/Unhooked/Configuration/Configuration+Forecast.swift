import Calendar
import Experience

extension Unhooked.Configuration {
    /// A simulation of what a configuration leads to: households of the simulated kinds live by it. Every second one has bought 500 Gems.
    static let forecast = Forecast(about: "1,000 households over 60 days") { documents, progress in
        (documents[kind] as? Self ?? .standard).measures(households: 1_000, days: 60, progress: progress)
    }

    /// Simulates households and returns the means of their figures. The result depends only on the configuration and the parameters.
    func measures(households: Int, days: Int, progress: Forecast.Progress = { _ in }) -> [Forecast.Measure] {
        var sum = Tally()
        for index in 0..<households {
            if index % 20 == 0 { progress(Double(index) / Double(households)) }
            sum.add(live(index, days))
        }
        let (all, each) = (Double(max(1, sum.days)), Double(max(1, households)))
        return [
            Forecast.Measure("Energy earned a day", tenth(Double(sum.energy) / all), unit: "Energy"),
            Forecast.Measure("days fed", tenth(Double(sum.fed) * 100 / all), unit: "%"),
            Forecast.Measure("households whose pet fell sick", tenth(Double(sum.sick) * 100 / each), unit: "%"),
            Forecast.Measure("households whose pet died", tenth(Double(sum.dead) * 100 / each), unit: "%"),
            Forecast.Measure("Gems spent on recovery by a household", tenth(Double(sum.gems) / each), unit: "Gems"),
            Forecast.Measure("Energy left to a household", tenth(Double(sum.left) / each), unit: "Energy"),
        ]
    }

    private func tenth(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    private struct Tally {
        var days = 0
        var energy = 0
        var fed = 0
        /// The number of households whose pet fell sick; `dead` is the number of those whose pet died.
        var sick = 0
        var dead = 0
        var gems = 0
        var left = 0

        mutating func add(_ other: Tally) {
            days += other.days
            energy += other.energy
            fed += other.fed
            sick += other.sick
            dead += other.dead
            gems += other.gems
            left += other.left
        }
    }

    private func live(_ index: Int, _ days: Int) -> Tally {
        let profile = UserProfile.allCases[index % UserProfile.allCases.count]
        var draws = SplitMix64(seed: UInt64(index))
        let time = PieceTime(dayMinutes: PieceTime.realDay)
        // Returns the evening of a day of 2026, counted from 0.
        func evening(_ day: Int) -> Moment { Moment(seconds: (20_454 + day) * Moment.day + UserProfile.evening, offset: 0) }
        var home = Home(Days(Household.home, time, at: evening(0)), self)
        home.books.enter(.welcome, .awarded(energy.welcome), key: .rules("welcome"), at: 0)
        if index % 2 == 1 { home.books.enter(.purchase, .bought(500), key: .rules("forecast"), at: 0) }
        var tally = Tally()
        for day in 0..<days {
            let now = evening(day)
            home.recoveries.bound(by: now.seconds)
            if day > 0 {
                let over = home.endDay(at: now.dayNumber * Moment.day, self)
                home.days = Days(Household.home, time, at: now)
                tally.days += 1
                tally.energy += over.record.energy
                tally.fed += over.record.eaten >= Pet.meal ? 1 : 0
                if over.changes.contains(.fellSick) { tally.sick = 1 }
                if over.changes.contains(.died) { tally.dead = 1 }
            }
            for move in profile.moves(home, self, &draws, key: "d\(day)") where home.refusal(of: move, self, at: now) == nil {
                _ = home.act(on: move, self, at: now)
            }
        }
        tally.gems = home.books.balance(.recovery)
        tally.left = home.books.wallet(.energy)
        return tally
    }
}
