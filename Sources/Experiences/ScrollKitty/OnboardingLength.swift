/// How much of the onboarding somebody goes through.
enum OnboardingLength: String, CaseIterable, Sendable {
    /// All steps.
    case full
    /// The authors' nine: six questions between a welcome and what is chosen, with the results.
    case short
    /// Three questions and what they come to, for a visit of minutes.
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

    /// The questions with a scale that count for the score, beside the hours and the age.
    var scored: [Step] {
        switch self {
        case .full: [.wake, .sleep, .meals, .reflex, .effort, .without]
        case .short: [.sleep, .without, .reflex]
        case .quick: [.addicted]
        }
    }

    /// All that the score is made of.
    var survey: [Step] { [.hours, .age] + scored }
}
