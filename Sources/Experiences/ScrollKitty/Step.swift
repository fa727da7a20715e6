import Calendar
import Experience

/// The 25 steps of the onboarding, in which somebody gets to know the cat.
enum Step: String, CaseIterable, Codable, Sendable {
    case splash, welcome
    case hours, addicted, age, wake, sleep, meals, reflex, effort, without
    case loading, score, years, comparison, hope
    case meet, health, apps, goal, cooldown, days, times, commitment, ready

    enum Kind: String, Encodable, Sendable { case intro, survey, result, setUp = "set-up" }

    var kind: Kind {
        switch self {
        case .splash, .welcome: .intro
        case .hours, .addicted, .age, .wake, .sleep, .meals, .reflex, .effort, .without: .survey
        case .loading, .score, .years, .comparison, .hope: .result
        case .meet, .health, .apps, .goal, .cooldown, .days, .times, .commitment, .ready: .setUp
        }
    }

    /// How a step is answered.
    enum Form: Equatable, Sendable {
        case number(ClosedRange<Double>)
        case choice([String])
        /// The step is answered by another action of the piece. The value is that action's name.
        case action(String)
        /// The step only shows something. It is finished when the visitor goes on.
        case notice
    }

    static let scale = ["never", "seldom", "sometimes", "often", "always"]

    var form: Form {
        switch self {
        case .hours: .number(Answer.hourRange)
        case .age: .choice(AgeGroup.allCases.map(\.rawValue))
        case .addicted, .wake, .sleep, .meals, .reflex, .effort, .without: .choice(Self.scale)
        case .commitment: .choice(["yes"])
        case .apps: .action("kitty.apps")
        case .goal: .action("kitty.goal")
        case .cooldown: .action("kitty.cooldown")
        case .days, .times: .action("kitty.window")
        case .splash, .welcome, .loading, .score, .years, .comparison, .hope, .meet, .health, .ready: .notice
        }
    }

    /// The seconds after which the step goes on by itself; nil where the visitor has to go on.
    var seconds: Double? {
        switch self {
        case .splash: 2
        case .loading: Double(captions.count) * Self.captionSeconds
        default: nil
        }
    }

    private static let captionSeconds = 1.5

    /// The texts that the step shows one after the other.
    var captions: [Words] {
        guard self == .loading else { return [] }
        return [
            Words(en: "The cat reads your answers", de: "Die Katze liest deine Antworten"),
            Words(en: "It counts hours on its paws", de: "Sie zählt Stunden an den Pfoten"),
            Words(en: "It looks some years ahead", de: "Sie schaut ein paar Jahre voraus"),
        ]
    }

    /// The title that the step shows.
    var title: Words {
        switch self {
        case .splash: Words(en: "ScrollKitty", de: "ScrollKitty")
        case .welcome: Words(en: "A cat whose health is your day", de: "Eine Katze, deren Gesundheit dein Tag ist")
        case .addicted: Words(en: "Do you feel addicted?", de: "Fühlst du dich süchtig?")
        case .loading: Words(en: "One moment", de: "Einen Augenblick")
        case .hours: Words(en: "How many hours a day are you on your phone?", de: "Wie viele Stunden am Tag bist du am Handy?")
        case .age: Words(en: "How old are you?", de: "Wie alt bist du?")
        case .wake: Words(en: "Do you look at it right after waking?", de: "Schaust du gleich nach dem Aufwachen darauf?")
        case .sleep: Words(en: "Does it keep you from sleep?", de: "Hält es dich vom Schlafen ab?")
        case .meals: Words(en: "Is it there when you eat?", de: "Ist es beim Essen dabei?")
        case .reflex: Words(en: "Do you open it without meaning to?", de: "Öffnest du es, ohne es zu wollen?")
        case .effort: Words(en: "Have you tried to be on it less?", de: "Hast du versucht, weniger daran zu sein?")
        case .without: Words(en: "Are you uneasy without it?", de: "Bist du ohne es unruhig?")
        case .score: Words(en: "Where you are", de: "Wo du stehst")
        case .years: Words(en: "Years to come", de: "Kommende Jahre")
        case .comparison: Words(en: "Others of your age", de: "Andere in deinem Alter")
        case .hope: Words(en: "A few hours a day make years", de: "Ein paar Stunden am Tag sind Jahre")
        case .meet: Words(en: "Meet the cat", de: "Das ist die Katze")
        case .health: Words(en: "Its health is your day", de: "Ihre Gesundheit ist dein Tag")
        case .apps: Words(en: "Which apps get a shield?", de: "Welche Apps bekommen einen Schild?")
        case .goal: Words(en: "How many hours are enough?", de: "Wie viele Stunden sind genug?")
        case .cooldown: Words(en: "How long does an app stay open?", de: "Wie lange bleibt eine App offen?")
        case .days: Words(en: "On which days?", de: "An welchen Tagen?")
        case .times: Words(en: "At what times?", de: "Zu welchen Zeiten?")
        case .commitment: Words(en: "Will you try?", de: "Versuchst du es?")
        case .ready: Words(en: "The cat is awake", de: "Die Katze ist wach")
        }
    }
}

// The effects of what has happened because time passed.
extension Cat {
    /// Returns the group of the message that the cat says about `happening`; nil where it says nothing about it.
    func group(of happening: Happening) -> MessageGroup? {
        switch happening {
        case .nightly: health.total >= Streaks.above ? .nightlyGood : .nightlyMixed
        case .ended: .summary
        case .returned, .turned: nil
        }
    }

    /// Returns the announcements, cues and ledger entries for what has happened.
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
