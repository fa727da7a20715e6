import Experience
import Fields
import Units

extension ScrollKitty {
    public struct Query: QueryBody {
        enum Subject: Equatable, Sendable { case state, week, history, onboarding(OnboardingLength) }

        let subject: Subject

        init(_ subject: Subject) { self.subject = subject }
    }

    public func answer(_ query: Query, at time: Now) throws(Fault) -> any Encodable & Sendable {
        let now = moment(at: time)
        return switch query.subject {
        case .state: state(at: now)
        case .week: Week(cat, self.time)
        case .history: History(cat, self.time)
        case .onboarding(let length): OnboardingState(onboarding, for: cat, length)
        }
    }
}

/// The steps as data, so that any front end can show them.
struct OnboardingState: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        /// The step's number, counted from 1.
        var number: Int
        var step: String
        var kind: Step.Kind
        var title: Words
        var isDone: Bool
        /// The seconds after which the step goes on by itself; nil where somebody has to.
        var seconds: Double?
        /// Said one after the other meanwhile, each for as long.
        var captions: [Words]?
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
    /// Nil before the questions are answered that count for it.
    var score: Score?
    var isCommitted: Bool

    init(_ onboarding: Onboarding, for cat: Cat, _ length: OnboardingLength) {
        steps = length.steps.enumerated().map { index, step in
            var entry = Entry(number: index + 1, step: step.rawValue, kind: step.kind, title: step.title,
                              isDone: onboarding.done.contains(step), seconds: step.seconds)
            if !step.captions.isEmpty { entry.captions = step.captions }
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
        next = onboarding.next(length)?.rawValue
        score = onboarding.score(length)
        isCommitted = onboarding.isCommitted
    }
}
