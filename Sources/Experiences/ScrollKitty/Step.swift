import Experience

/// The 21 steps in which somebody gets to know the cat.
enum Step: String, CaseIterable, Codable, Sendable {
    case hours, age, wake, sleep, meals, reflex, effort, without
    case score, years, comparison, hope
    case meet, health, apps, goal, cooldown, days, times, commitment, ready

    enum Kind: String, Encodable, Sendable { case survey, result, setUp = "set-up" }

    var kind: Kind {
        switch self {
        case .hours, .age, .wake, .sleep, .meals, .reflex, .effort, .without: .survey
        case .score, .years, .comparison, .hope: .result
        case .meet, .health, .apps, .goal, .cooldown, .days, .times, .commitment, .ready: .setUp
        }
    }

    /// How it is answered.
    enum Form: Equatable, Sendable {
        case number(ClosedRange<Double>)
        case choice([String])
        /// By another action.
        case action(String)
        /// Taken note of.
        case notice
    }

    static let scale = ["never", "seldom", "sometimes", "often", "always"]

    var form: Form {
        switch self {
        case .hours: .number(Answer.hourRange)
        case .age: .choice(AgeGroup.allCases.map(\.rawValue))
        case .wake, .sleep, .meals, .reflex, .effort, .without: .choice(Self.scale)
        case .commitment: .choice(["yes"])
        case .apps: .action("kitty.apps")
        case .goal: .action("kitty.goal")
        case .cooldown: .action("kitty.cooldown")
        case .days, .times: .action("kitty.window")
        case .score, .years, .comparison, .hope, .meet, .health, .ready: .notice
        }
    }

    /// For people.
    var title: Words {
        switch self {
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
