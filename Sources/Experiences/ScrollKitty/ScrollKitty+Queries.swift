import Experience
import Fields
import Units

extension ScrollKitty {
    public enum Query: QueryBody { case state, week, history, onboarding }

    public func answer(_ query: Query, at time: Now) throws(Fault) -> any Encodable & Sendable {
        let now = moment(at: time)
        return switch query {
        case .state: state(at: now)
        case .week: Week(cat, self.time)
        case .history: History(cat, self.time)
        case .onboarding: OnboardingState(onboarding, for: cat)
        }
    }
}

/// The steps as data, so that any front end can show them.
struct OnboardingState: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        /// From 1.
        var number: Int
        var step: String
        var kind: Step.Kind
        var title: Words
        var isDone: Bool
        /// How it is answered: `number` in a range, one of `choices`, by another action, or not at all.
        var lowest: Double?
        var highest: Double?
        /// The range's steps; nil for any number.
        var by: Double?
        var choices: [String]?
        var action: String?
        /// What the action may be given: at most so many names, or one of these minutes.
        var most: Int?
        var minutes: [Int]?
    }

    var steps: [Entry]
    /// The first that is not done; nil when all are.
    var next: String?
    /// Nil before the eight questions are answered.
    var score: Score?
    var isCommitted: Bool

    init(_ onboarding: Onboarding, for cat: Cat) {
        steps = Step.allCases.enumerated().map { index, step in
            var entry = Entry(number: index + 1, step: step.rawValue, kind: step.kind, title: step.title,
                              isDone: onboarding.done.contains(step))
            switch step.form {
            case .number(let range): (entry.lowest, entry.highest) = (range.lowerBound, range.upperBound)
            case .choice(let choices): entry.choices = choices
            case .action(let action): entry.action = action
            case .notice: break
            }
            switch step {
            case .apps: entry.most = Plan.mostApps
            case .goal:
                (entry.lowest, entry.highest) = (Double(Goal.range.lowerBound) / 60, Double(Goal.range.upperBound) / 60)
                entry.by = Double(Goal.step) / 60
            case .cooldown: entry.minutes = cat.allowedCooldowns
            default: break
            }
            return entry
        }
        next = onboarding.next?.rawValue
        score = onboarding.score
        isCommitted = onboarding.isCommitted
    }
}
