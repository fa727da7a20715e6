import Experience
import Fields

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

/// The steps of the onboarding as data, so that any front end can show them.
struct OnboardingState: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        /// The step's number, counted from 1.
        var number: Int
        var step: String
        var kind: Step.Kind
        var title: Words
        var isDone: Bool
        /// The seconds after which the step goes on by itself; nil where the visitor has to go on.
        var seconds: Double?
        /// Texts that are shown one after the other during `seconds`, each for the same time.
        var captions: [Words]?
        /// The fields from `lowest` to `action` say how the step is answered: by a number from `lowest` to `highest`, by one of `choices`,
        /// or by the action called `action`. A step for which all are nil needs no answer.
        var lowest: Double?
        var highest: Double?
        /// The distance between the numbers that may be given; nil where any number of the range may be given.
        var by: Double?
        var choices: [String]?
        var action: String?
        /// The largest number of names that the action accepts; `minutes` are the numbers of minutes that it accepts. Both are nil for
        /// other actions.
        var most: Int?
        var minutes: [Int]?
    }

    var steps: [Entry]
    /// The first step that is not finished; nil when all are.
    var next: String?
    /// The score; nil before the questions that count for it are answered.
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
