import Calendar
import Experience

// What comes of what has happened by itself.
extension Cat {
    /// What the cat says of it; nil for nothing.
    func group(of happening: Happening) -> MessageGroup? {
        switch happening {
        case .nightly: health.total >= Streaks.above ? .nightlyGood : .nightlyMixed
        case .ended: .summary
        case .returned, .turned: nil
        }
    }

    /// What is told, heard and kept of what has happened by itself.
    func effects(of happening: Happening) -> Effects {
        switch happening {
        case .returned(let apps):
            var effects = apps.isEmpty ? Effects() : Effects.earcon("shield-back")
            if !apps.isEmpty { effects.tell(ShieldsBack(apps: apps.map { plan.apps[$0] })) }
            return effects
        case .nightly: return .earcon("nightly")
        case .ended(let record, let achieved):
            let entry = LedgerEntry(key: "day-\(record.day)", kind: "day", note: record.note)
            var effects = Effects(ledger: [entry])
            effects.tell(DaySummary(DayFigures(record, days.time), of: household, streak: streaks.current))
            if !achieved.isEmpty {
                effects += .earcon("streak")
                effects.tell(Achieved(achievements: achieved, streak: streaks.current))
            }
            return effects
        case .turned(let daysOff):
            var effects = Effects()
            effects.tell(DayBegan(day: day, date: days.time.date(of: day), daysOff: daysOff))
            return effects
        }
    }
}
