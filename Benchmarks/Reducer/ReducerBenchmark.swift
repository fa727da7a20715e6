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
        for visitor in ColorScroller.declaration.visitors {
            var simulation = Simulation(ColorScroller.self, visitor, seed: 1, turns: swipes, idle: Seconds(45))
            var events: [(Event, Frame)] = []
            while let step = simulation.next() {
                if case .event(let event, let frame, _, _) = step.entry { events.append((event, frame)) }
            }
            var fastest = Duration.seconds(3600)
            var cues = 0
            for _ in 0..<3 {
                var run = Run(ColorScroller.self, Opening(theme: .standard, seed: 1, rate: .standard))
                cues = 0
                let took = ContinuousClock().measure {
                    for (event, frame) in events {
                        guard let event = try? run.admit(event, at: frame) else { continue }
                        cues += run.act(on: event, at: frame).cues.count
                    }
                }
                fastest = min(fastest, took)
            }
            let microseconds = fastest / .microseconds(1) / Double(events.count)
            let hundredths = Int((microseconds * 100).rounded())
            print("\(visitor.name): \(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) µs an event, "
                + "\(events.count) events, \(cues) cues (aim: under 20 µs)")
        }
    }
}
