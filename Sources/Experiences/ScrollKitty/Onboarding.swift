import Fields

/// What somebody has answered and set up so far.
struct Onboarding: Codable, Equatable, Sendable {
    /// Done, in the order of the steps.
    private(set) var done: [Step] = []
    /// Hours a day with the phone.
    private(set) var hours: Double?
    private(set) var age: AgeGroup?
    /// Answers to the questions with a scale, 0…4, by the step's name.
    private(set) var scales: [String: Int] = [:]
    private(set) var isCommitted = false

    /// The first step that is not done; nil when all are.
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

    /// Whether these rules can have written it.
    var isWell: Bool {
        scales.count <= Step.allCases.count && scales.values.allSatisfy((0...4).contains) && hours.map(Answer.hourRange.contains) ?? true
    }

    /// Nil before all questions are answered that count for it.
    func score(_ length: OnboardingLength) -> Score? {
        guard hasSurvey(length), let hours, let age else { return nil }
        return Score(hours: hours, age: age, scales: length.scored.compactMap { scales[$0.rawValue] })
    }

    /// Why a step cannot be taken yet; nil when it can.
    func refusal(of answer: Answer) -> Fault? {
        guard answer.step.kind == .result, !OnboardingLength.allCases.contains(where: hasSurvey) else { return nil }
        let missing = OnboardingLength.full.survey.filter { !done.contains($0) }.map(\.rawValue)
        return Fault(field: "step", expected: "first answers to \(missing.joined(separator: ", "))", found: answer.step.rawValue)
    }
}

public enum AgeGroup: String, CaseIterable, Codable, Sendable {
    case under18 = "under-18", from18 = "18-24", from25 = "25-30", from31 = "31-40", from41 = "41-50", from51 = "51-plus"

    /// The years until the age of 80, from the middle of the group.
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

    /// Hours a day that people of the group spend with their phones; nil where there is no figure.
    var averageHours: Double? {
        switch self {
        case .from18: 8.5
        case .from25: 7.2
        default: nil
        }
    }
}

/// What the survey comes to.
public struct Score: Encodable, Equatable, Sendable {
    /// 0…100.
    public var addiction: Int
    /// The years spent with the phone, if the years to go are like today: hours ÷ 24 × years to go, to a tenth.
    public var yearsLost: Double
    public var yearsToGo: Int
    /// The hours a day of the age group; nil where there is no figure.
    public var averageHours: Double?
    /// The hours a day above the age group's average, less than 0 below it; nil where there is no figure.
    public var hoursAboveAverage: Double?

    /// Points for the hours, of 12 a day or more, and for the scales together.
    static let (hoursWeight, scalesWeight) = (40.0, 60.0)

    /// `scales` are answers of 0…4, one at least.
    init(hours: Double, age: AgeGroup, scales: [Int]) {
        let points = Self.hoursWeight * min(hours, 12) / 12 + Self.scalesWeight * Double(scales.reduce(0, +)) / Double(4 * scales.count)
        addiction = Int(points.rounded(.toNearestOrAwayFromZero))
        yearsToGo = age.yearsToGo
        yearsLost = (hours / 24 * Double(age.yearsToGo) * 10).rounded() / 10
        averageHours = age.averageHours
        hoursAboveAverage = age.averageHours.map { ((hours - $0) * 10).rounded() / 10 }
    }
}

/// What is answered at one step.
enum Answer: Equatable, Sendable {
    case hours(Double)
    case age(AgeGroup)
    case scale(Step, Int)
    case commitment
    /// A step that only shows something.
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
