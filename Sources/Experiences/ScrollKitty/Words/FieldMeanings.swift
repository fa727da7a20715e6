import Calendar
import Experience

extension ScrollKitty {
    /// What texts of answers and announcements hold.
    static let texts: [String: TextMeaning] = [
        "action": .words(Step.allCases.compactMap(\.action).unique),
        "app": "an app's name",
        "apps.name": "as kitty.apps has it",
        "bar": .words(Condition.allCases.map(\.bar).unique),
        "choices": "one of the answers that may be given",
        "date": "a day, as in 2026-01-31; left out where the piece's days are not real ones",
        "de": "in German",
        "en": "in English",
        "firstUse": timeOfDay,
        "from": "local time, as in 09:00; left out where shields do not act on this day",
        "lastUse": timeOfDay,
        "message.group": .words(MessageGroup.allCases.map(\.rawValue)),
        "message.id": "of the text: its group, a hyphen and a number of two digits",
        "next": .words(Step.allCases.map(\.rawValue)),
        "nextApps": "an app's name, from midnight on",
        "shield.apps": "an app's name",
        "steps.kind": .words(Step.allCases.map(\.kind.rawValue).unique),
        "step": .words(Step.allCases.map(\.rawValue)),
        "terminalAt": "local time, as in 09:00, at which health came to 0; left out where it did not",
        "time": "local time, as in 09:00",
        "tone": .words(Condition.allCases.map(\.tone)),
        "until": "local time, as in 17:00; where it is not after the start, the next day's",
        "window.day": .words(Weekdays.names),
    ]

    private static let timeOfDay: TextMeaning = "local time, as in 09:00; left out where there was no use"
}

extension Step {
    /// The one by which it is answered; nil for none.
    fileprivate var action: String? { if case .action(let action) = form { action } else { nil } }
}

extension [String] {
    /// Each once, in the order of the first.
    fileprivate var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
