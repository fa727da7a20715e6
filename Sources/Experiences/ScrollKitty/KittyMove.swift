import Calendar
import Experience
import Fields
import Signals

/// The actions that front ends may send to this piece.
public enum KittyMove: ActionBody {
    /// A shielded app is opened in spite of its shield.
    case bypass(app: String)
    /// An open app gets its shield back early; nil stands for all open apps.
    case shield(app: String?)
    case apps([String])
    /// How long an app stays open after a bypass, in minutes.
    case cooldown(Int)
    /// The goal for the day's use, in minutes; nil takes the goal away.
    case goal(Int?)
    /// The hours in which shields act, on the days that `days` names; nil means that they do not act on these days.
    case window(days: String, WindowHours?)
    case onboard(OnboardingAnswer)
    /// A visitor says to which household they belong; nil stands for that of the exhibition's own cat.
    case enter(household: String?)

    public var name: String {
        switch self {
        case .bypass: "kitty.bypass"
        case .shield: "kitty.shield"
        case .apps: "kitty.apps"
        case .cooldown: "kitty.cooldown"
        case .goal: "kitty.goal"
        case .window: "kitty.window"
        case .onboard: "kitty.onboard"
        case .enter: "household.enter"
        }
    }

    public var entering: String? { if case .enter(let name) = self { name ?? Household.home } else { nil } }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        func key(_ name: String) -> Fields.Key { Fields.Key(name) }
        switch self {
        case .bypass(let app): try container.encode(app, forKey: key("app"))
        case .shield(let app): try container.encodeIfPresent(app, forKey: key("app"))
        case .apps(let apps): try container.encode(apps, forKey: key("apps"))
        case .cooldown(let minutes): try container.encode(minutes, forKey: key("minutes"))
        case .goal(let minutes): try container.encodeIfPresent(minutes.map { Double($0) / 60 }, forKey: key("hours"))
        case .window(let days, let hours):
            try container.encode(days, forKey: key("days"))
            try container.encodeIfPresent(hours?.from, forKey: key("start"))
            try container.encodeIfPresent(hours?.to, forKey: key("until"))
        case .onboard(let answer):
            try container.encode(answer.step, forKey: key("step"))
            try container.encodeIfPresent(answer.number, forKey: key("number"))
            try container.encodeIfPresent(answer.choice, forKey: key("choice"))
        case .enter(let household): try container.encodeIfPresent(household, forKey: key("household"))
        }
    }
}

/// Hours from one local time to another, as the front end wrote them.
public struct WindowHours: Equatable, Sendable {
    public var from: String
    public var to: String

    var hours: FocusWindow.Hours? {
        guard let from = LocalTime(from), let to = LocalTime(to), !from.isEndOfDay else { return nil }
        return FocusWindow.Hours(from: from.minutes, to: to.minutes)
    }
}

/// The answer to a step of the onboarding, in the fields that the front end sent. `read` has checked that it fits the step.
public struct OnboardingAnswer: Equatable, Sendable {
    public var step: String
    public var number: Double?
    public var choice: String?

    /// The answer as a value that the rules use; nil when the answer does not fit the step.
    var answer: Answer? {
        guard let step = Step(rawValue: step) else { return nil }
        switch (step.form, number, choice) {
        case (.number(let range), let number?, nil) where range.contains(number): return .hours(number)
        case (.choice(let choices), nil, let choice?):
            guard let index = choices.firstIndex(of: choice) else { return nil }
            switch step {
            case .age: return AgeGroup(rawValue: choice).map { .age($0) }
            case .commitment: return .commitment
            default: return .scale(step, index)
            }
        case (.notice, nil, nil): return .seen(step)
        default: return nil
        }
    }
}

// Reads the fields of actions. Throws `Fault` for a wrong field.
extension KittyMove {
    /// The largest number of characters in the name of an app or a household.
    static let longestName = 40

    static func readApp(_ fields: Fields) throws -> String {
        try fields.plainName("app", limit: longestName, about: "its name, as kitty.apps has it")
    }

    static func readApps(_ fields: Fields) throws -> KittyMove {
        let expected = "a list of 1 to \(Plan.mostApps) names, each once, of 1 to \(longestName) characters"
        let apps = try fields.nested("apps", as: .structure(orList: true), like: Plan.exhibited, expected: expected)
        guard (1...Plan.mostApps).contains(apps.count) else { throw Fault(field: "apps", expected: expected, found: "\(apps.count) names") }
        for (index, app) in apps.enumerated() {
            let field = "apps[\(index)]"
            let bytes = app.utf8.count
            guard bytes > 0, bytes <= 8 * longestName, app.count <= longestName else {
                throw Fault(field: field, expected: "1 to \(longestName) characters", found: "\(bytes) bytes")
            }
            _ = try Fields.plainName(app, in: field)
        }
        guard Set(apps).count == apps.count else { throw Fault(field: "apps", expected: expected, found: "a name twice") }
        return .apps(apps)
    }

    static func readGoal(_ fields: Fields) throws -> KittyMove {
        let range = Double(Goal.range.lowerBound) / 60...Double(Goal.range.upperBound) / 60
        guard let hours = try fields.numberIfPresent("hours", in: range, unit: "hours a day", about: "in halves; no goal without it") else {
            return .goal(nil)
        }
        let minutes = Int((hours * 60).rounded())
        guard minutes % Goal.step == 0, Double(minutes) == hours * 60 else {
            throw Fault(field: "hours", expected: "whole or half hours from 3 to 8", found: Fault.plain(hours))
        }
        return .goal(minutes)
    }

    /// The name that the field `start` of `kitty.window` had before.
    static let formerStart = "from"

    static func readWindow(_ fields: Fields) throws -> KittyMove {
        let days = try fields.text("days", limit: 64, about: Weekdays.form)
        // Journals of earlier versions have the start under its former name.
        let name = fields.contains(formerStart) ? formerStart : "start"
        let start = try fields.textIfPresent(name, limit: 5, about: "local time, as in 09:00; no hours at all without it")
        let end = try fields.textIfPresent("until", limit: 5, about: "local time; where it is not after the start, the next day's")
        guard Weekdays(words: days) != nil else { throw Fault(field: "days", expected: Weekdays.form, found: "\"\(days)\"") }
        switch (start, end) {
        case (nil, nil): return .window(days: days, nil)
        case (let start?, let end?):
            let hours = WindowHours(from: start, to: end)
            if hours.hours == nil {
                let field = LocalTime(start).map { $0.isEndOfDay } ?? true ? name : "until"
                throw Fault(field: field, expected: "a local time, as in 09:00", found: "\"\(field == name ? start : end)\"")
            }
            return .window(days: days, hours)
        case (nil, _): throw Fault(field: name, expected: "a local time, because there is one until which it lasts")
        case (_, nil): throw Fault(field: "until", expected: "a local time, because there is one from which it lasts")
        }
    }

    static func readOnboarding(_ fields: Fields) throws -> KittyMove {
        let names = Step.allCases.map(\.rawValue)
        let step = try fields.choice("step", of: names, about: "see kitty.onboarding")
        let answer = OnboardingAnswer(
            step: step, number: try fields.numberIfPresent("number", in: Answer.hourRange, about: "where the step asks for one"),
            choice: try fields.textIfPresent("choice", limit: 32, about: "where the step has choices"))
        guard answer.answer == nil, let form = Step(rawValue: step)?.form else { return .onboard(answer) }
        switch form {
        case .number(let range):
            throw Fault(field: answer.choice == nil ? "number" : "choice", expected: answer.choice == nil
                            ? Fields.words(for: range, unit: nil) : "none, because \(step) has a number")
        case .choice(let choices):
            throw Fault(field: answer.number == nil ? "choice" : "number", expected: answer.number == nil
                            ? "one of " + choices.joined(separator: ", ") : "none, because \(step) has choices", found: answer.choice)
        case .action(let action): throw Fault(field: "step", expected: "the action \(action) instead", found: step)
        case .notice:
            throw Fault(field: answer.number == nil ? "choice" : "number", expected: "none, because \(step) is no question")
        }
    }

    static func readEnter(_ fields: Fields) throws -> KittyMove {
        .enter(household: try fields.plainNameIfPresent("household", limit: longestName,
                                                       about: "for instance a badge; the exhibition's own cat without it"))
    }
}
