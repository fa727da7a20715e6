import Calendar
import Experience

extension ScrollKitty {
    /// The meanings of the fields in answers and announcements.
    static let meanings: [String: FieldMeaning] = texts.merging(values.mapValues(FieldMeaning.value)) { text, _ in text }

    /// The meanings of fields that hold text.
    private static let texts: [String: FieldMeaning] = [
        "action": .words(Step.allCases.compactMap(\.action).unique, about: "the method that sets what the step is about"),
        "app": "an app's name",
        "apps.name": "as kitty.apps has it",
        "bar": .words(Condition.allCases.map(\.bar).unique, about: "the colour of the health's bar"),
        "choices": "one of the answers that may be given",
        "date": "a day, as in 2026-01-31; left out where the piece's days are not real ones",
        "de": "in German",
        "en": "in English",
        "firstUse": timeOfDay,
        "lastUse": timeOfDay,
        "message.group": .words(MessageGroup.allCases.map(\.rawValue) + [Greeting.group], about: "what the text is for"),
        "message.id": "of the text: its group, a hyphen and a number",
        "next": .words(Step.allCases.map(\.rawValue), about: "the first step that is not done"),
        "nextApps": "an app's name, from midnight on",
        "shield.apps": "an app's name",
        "start": "local time, as in 09:00; left out where shields do not act on this day",
        "steps.captions": "what is said one after the other while the step lasts; left out where nothing is",
        "steps.kind": .words(Step.allCases.map(\.kind.rawValue).unique, about: "what the step asks for"),
        "step": .words(Step.allCases.map(\.rawValue), about: "of the onboarding"),
        "terminalAt": "local time, as in 09:00, at which health came to 0; left out where it did not",
        "time": "local time, as in 09:00",
        "tone": .words(Condition.allCases.map(\.tone), about: "in which the cat speaks"),
        "until": "local time, as in 17:00; where it is not after the start, the next day's",
        "window.day": .words(Weekdays.names, about: "of the week"),
    ]

    /// The meanings of fields that hold a number, one of a fixed set of words, or true or false.
    private static let values: [String: String] = [
        "achievements": "what was achieved",
        "apps.bypasses": "how often the app was opened in spite of its shield today",
        "apps.hp": "health that is left: the cat's, or the app's own where each app has some, HP",
        "apps.of": "the most that hp can be, HP",
        "apps.useMinutes": "how long the app was used today, minutes",
        "band": "the upper edge of the health's band, HP: 100, 80, 60, 40, 20, 10 or 0",
        "bands": "upper edges of the bands that were crossed, from above, HP",
        "bypasses": "how often a shielded app was opened that day",
        "canBypass": "whether the app can be opened in spite of its shield, at a price",
        "condition": "how the cat is",
        "cooldownMinutes": "how long an app stays open after a bypass, minutes",
        "cost": "what opening the app would cost, rounded up, HP",
        "counting": "global: one health for all apps; per-app: each app has a part of it",
        "day": "number of the day, counted by the piece's clock",
        "dayEndsIn": "real seconds until the day is over",
        "daysOff": "days before this one that were not lived, because the machine was off",
        "goalMinutes": "how much use a day is enough, minutes; left out without a goal",
        "hp": "the cat's health, 0 to 100 HP",
        "cat.isOwn": isOwn,
        "kitty.state.isOwn": isOwn,
        "lost.hp": "health that is left: the cat's, or the app's own where each app has some, HP",
        "lost.lost": "what the bypass has cost, HP",
        "lost.of": "the most that hp can be, HP",
        "nextCounting": "how health is counted from midnight on; left out for no change",
        "opensFor": "real seconds until the shield returns; left out where it is there",
        "overMinutes": "use beyond the goal, less than 0 below it, minutes; left out without a goal",
        "percent": "the cat's health, rounded up, %: 0 is dead",
        "points.condition": "how the cat was after the loss",
        "points.hp": "health after the loss, HP",
        "steps.seconds": "after how many the step goes on by itself; left out where somebody has to",
        "shield": "how the app is: shielded, open after a bypass, locked until midnight, or free outside the focus window",
        "shieldsAct": "whether the focus window is open",
        "shieldsTurnIn": "real seconds until the focus window opens or closes; left out where it never does",
        "streak": "days in a row that ended above 40 HP",
        "total": "the cat's health after it, HP",
        "useMinutes": "how long apps were used that day, minutes",
    ]

    private static let isOwn = "whether the cat is a visitor's own; left out where no walk-up's rules count"

    private static let timeOfDay: FieldMeaning = "local time, as in 09:00; left out where there was no use"
}

extension Step {
    /// The name of the action that answers the step; nil where the step is answered otherwise.
    fileprivate var action: String? { if case .action(let action) = form { action } else { nil } }
}

extension [String] {
    /// The list with each text once, where it first occurs.
    fileprivate var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
