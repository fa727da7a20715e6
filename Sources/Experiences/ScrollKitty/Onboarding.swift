import Fields

/// The visitor's answers and choices in the onboarding so far.
struct Onboarding: Codable, Equatable, Sendable {
    /// The finished steps, in the order of `Step`.
    private(set) var done: [Step] = []
    /// The hours a day that the visitor spends with the phone, by the visitor's own answer; nil before that answer.
    private(set) var hours: Double?
    private(set) var age: AgeGroup?
    /// The answers to the questions with a scale, 0…4, by the step's name.
    private(set) var scales: [String: Int] = [:]
    private(set) var isCommitted = false

    /// Returns the step that comes next: the first one that is not finished; nil when all are.
    func next(_ length: OnboardingLength) -> Step? { length.steps.first { !done.contains($0) } }
    private func hasSurvey(_ length: OnboardingLength) -> Bool { length.survey.allSatisfy(done.contains) }

    mutating func finish(_ step: Step) {
        guard !done.contains(step) else { return }
        done = Step.allCases.filter { done.contains($0) || $0 == step }
    }

    mutating func answer(_ answer: Answer) {
        switch answer {
        case .hours(let number): hours = number
        case .age(let group): age = group
        case .scale(let step, let value): scales[step.rawValue] = value
        case .commitment: isCommitted = true
        case .seen: break
        }
        finish(answer.step)
    }

    /// Whether the values are valid: whether this version of the rules can have stored them.
    var isWell: Bool {
        scales.count <= Step.allCases.count && scales.values.allSatisfy((0...4).contains) && hours.map(Answer.hourRange.contains) ?? true
    }

    /// Returns the score; nil before all questions that count for it are answered.
    func score(_ length: OnboardingLength) -> Score? {
        guard hasSurvey(length), let hours, let age else { return nil }
        return Score(hours: hours, age: age, scales: length.scored.compactMap { scales[$0.rawValue] })
    }

    /// Returns why the step that `answer` belongs to cannot be answered yet; nil when it can.
    func refusal(of answer: Answer) -> Fault? {
        guard answer.step.kind == .result, !OnboardingLength.allCases.contains(where: hasSurvey) else { return nil }
        let missing = OnboardingLength.full.survey.filter { !done.contains($0) }.map(\.rawValue)
        return Fault(field: "step", expected: "first answers to \(missing.joined(separator: ", "))", found: answer.step.rawValue)
    }
}

public enum AgeGroup: String, CaseIterable, Codable, Sendable {
    case under18 = "under-18", from18 = "18-24", from25 = "25-30", from31 = "31-40", from41 = "41-50", from51 = "51-plus"

    /// The years that a member of the group has until the age of 80, from the middle of the group's ages.
    var yearsToGo: Int {
        switch self {
        case .under18: 65
        case .from18: 59
        case .from25: 52
        case .from31: 44
        case .from41: 34
        case .from51: 22
        }
    }

    /// The hours a day that people of the group spend with their phones; nil where no figure is known.
    var averageHours: Double? {
        switch self {
        case .from18: 8.5
        case .from25: 7.2
        default: nil
        }
    }
}

/// The result of the survey.
public struct Score: Encodable, Equatable, Sendable {
    /// The degree of addiction, 0…100.
    public var addiction: Int
    /// The years that will be spent with the phone if the use stays as it is: hours ÷ 24 × `yearsToGo`, to a tenth.
    public var yearsLost: Double
    public var yearsToGo: Int
    /// The average daily screen time of the age group, in hours; nil where no figure is known.
    public var averageHours: Double?
    /// By how many hours the daily screen time exceeds the age group's average, negative below it; nil where no figure is known.
    public var hoursAboveAverage: Double?

    /// The largest number of points for the hours, which 12 hours a day reach, and the largest number for all scales together.
    static let (hoursWeight, scalesWeight) = (40.0, 60.0)

    /// Computes the result from the survey's answers: the `hours` a day, the group of the `age`, and at least one answer to a question with
    /// a scale, 0…4 each.
    init(hours: Double, age: AgeGroup, scales: [Int]) {
        let points = Self.hoursWeight * min(hours, 12) / 12 + Self.scalesWeight * Double(scales.reduce(0, +)) / Double(4 * scales.count)
        addiction = Int(points.rounded(.toNearestOrAwayFromZero))
        yearsToGo = age.yearsToGo
        yearsLost = (hours / 24 * Double(age.yearsToGo) * 10).rounded() / 10
        averageHours = age.averageHours
        hoursAboveAverage = age.averageHours.map { ((hours - $0) * 10).rounded() / 10 }
    }
}

/// The answer of a visitor to one step of the onboarding.
enum Answer: Equatable, Sendable {
    case hours(Double)
    case age(AgeGroup)
    case scale(Step, Int)
    case commitment
    /// The visitor has seen a step that only shows something, and needs no answer.
    case seen(Step)

    static let hourRange = 0.0...24

    var step: Step {
        switch self {
        case .hours: .hours
        case .age: .age
        case .scale(let step, _), .seen(let step): step
        case .commitment: .commitment
        }
    }
}

/// How much of the onboarding somebody goes through.
enum OnboardingLength: String, CaseIterable, Sendable {
    /// All 25 steps.
    case full
    /// The nine steps of the authors' sketch: six questions between a welcome and the settings, with the results.
    case short
    /// Three questions and one result, for a visit of minutes.
    case quick

    /// The steps in their order.
    var steps: [Step] {
        switch self {
        case .full: Step.allCases
        case .short:
            [.splash, .welcome, .hours, .addicted, .sleep, .without, .reflex, .age, .loading, .score, .years,
             .apps, .goal, .cooldown, .days, .times]
        case .quick: [.hours, .addicted, .age, .loading, .years]
        }
    }

    /// The questions with a scale whose answers count for the score. The hours and the age count, too.
    var scored: [Step] {
        switch self {
        case .full: [.wake, .sleep, .meals, .reflex, .effort, .without]
        case .short: [.sleep, .without, .reflex]
        case .quick: [.addicted]
        }
    }

    /// All questions that count for the score.
    var survey: [Step] { [.hours, .age] + scored }
}
