import ColorScroller
import Experience
import Journal
import Offline
import Signals
import Units

/// What an event costs ColorScroller's rules, over the sessions of three kinds of visitors.
@main enum ReducerBenchmark {
    private static let swipes = 100_000

    static func main() {
        for profile in VisitorProfile.allCases {
            var simulation = Simulation(seed: 1, swipes: swipes, profile: profile)
            var events: [(Event, Frame)] = []
            while let step = simulation.next() {
                if case .event(let event, let frame, _, _) = step.entry { events.append((event, frame)) }
            }
            var fastest = Duration.seconds(3600)
            var cues = 0
            for _ in 0..<3 {
                var scroller = ColorScroller(theme: .standard, seed: 1, rate: .standard, tuning: .standard)
                cues = 0
                let took = ContinuousClock().measure {
                    for (event, frame) in events { cues += scroller.reduce(event, at: frame).count }
                }
                fastest = min(fastest, took)
            }
            let microseconds = fastest / .microseconds(1) / Double(events.count)
            let hundredths = Int((microseconds * 100).rounded())
            print("\(profile.rawValue): \(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) µs an event, "
                + "\(events.count) events, \(cues) cues (aim: under 20 µs)")
        }
    }
}
