import ColorScroller
import Experience
import Fields
import Signals
import Units
import Wire

extension Question {
    /// What `experience` has to say to it, `time` after its session's start. Throws when it has nothing of the kind; whom that error
    /// answers is still to be said.
    func answer(by experience: any Experience, at time: Frame) throws(ErrorReply) -> any Encodable {
        guard let scroller = experience as? ColorScroller else {
            guard case .parameters = self else {
                let expected = "none of the feed's, because the experience is \(experience.name.rawValue)"
                throw ErrorReply(.refused, fault: Fault(field: "method", expected: expected))
            }
            return ParameterList(parameters: [])
        }
        switch self {
        case .cards(let first, let count): return CardList(cards: scroller.cards(first..<first + count))
        case .state: return scroller.feedState(at: time)
        case .inventory: return scroller.inventory
        case .leaderboard: return scroller.leaderboard(at: time)
        case .parameters: return ParameterList(parameters: scroller.parameters(at: time))
        case .parameter(let name):
            let parameters = scroller.parameters(at: time)
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                let expected = "one of " + parameters.map(\.name).joined(separator: ", ")
                throw ErrorReply(.invalidParams, fault: Fault(field: "name", expected: expected, found: "\"\(name)\""))
            }
            return parameter
        }
    }
}

extension ColorScroller {
    /// The debug panel: the knobs, and the counters.
    fileprivate func parameters(at time: Frame) -> [ParameterReport] {
        let state = feedState(at: time)
        return Parameter.allCases.map { ParameterReport($0, tuning) } + [
            ParameterReport(counter: "blocks-viewed", Double(state.blocksViewed), unit: "cards"),
            ParameterReport(counter: "unique-blocks-seen", Double(state.uniqueBlocksSeen), unit: "cards"),
            ParameterReport(counter: "total-swipes", Double(state.totalSwipes), unit: "swipes"),
            ParameterReport(counter: "unlock-count", Double(state.unlockCount), unit: "skins"),
            ParameterReport(counter: "reward-drought", Double(state.rewardDrought), unit: "cards"),
            ParameterReport(counter: "interventions", Double(state.interventions)),
            ParameterReport(counter: "p-churn", state.pChurn, unit: "probability at the last scroll"),
        ]
    }
}
