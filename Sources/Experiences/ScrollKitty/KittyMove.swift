import Calendar
import Experience
import Fields
import Signals

/// What front ends report in the piece's own words.
public enum KittyMove: ActionBody {
    /// A shielded app is opened anyway.
    case bypass(app: String)
    /// A shield is put back before its time; nil for all.
    case shield(app: String?)
    case apps([String])
    /// Minutes.
    case cooldown(Int)
    /// Minutes a day; nil for none.
    case goal(Int?)
    /// The focus window of these days, as they were written, is these hours; nil for no hours.
    case window(days: String, WindowHours?)
    case onboard(OnboardingAnswer)
    /// A visitor says who they are; nil for the exhibition's own cat.
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

/// Hours from one local time to another, as they were written.
public struct WindowHours: Equatable, Sendable {
    public var from: String
    public var to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    var hours: FocusWindow.Hours? {
        guard let from = LocalTime(from), let to = LocalTime(to), !from.isEndOfDay else { return nil }
        return FocusWindow.Hours(from: from.minutes, to: to.minutes)
    }
}

/// A step of the onboarding, as it was answered; checked by `read`.
public struct OnboardingAnswer: Equatable, Sendable {
    public var step: String
    public var number: Double?
    public var choice: String?

    public init(step: String, number: Double? = nil, choice: String? = nil) {
        self.step = step
        self.number = number
        self.choice = choice
    }

    /// Nil when it does not answer its step.
    var answer: Answer? {
        guard let step = Step(rawValue: step) else { return nil }
        switch (step.form, number, choice) {
        case (.number(let range), let number?, nil) where range.contains(number): return .hours(number)
        case (.choice(let choices), nil, let choice?):
            guard let place = choices.firstIndex(of: choice) else { return nil }
            switch step {
            case .age: return AgeGroup(rawValue: choice).map { .age($0) }
            case .commitment: return .commitment
            default: return .scale(step, place)
            }
        case (.notice, nil, nil): return .seen(step)
        default: return nil
        }
    }
}
