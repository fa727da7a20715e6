import CLinux
import Calendar
import Experience
import NIOCore
import Signals
import Testing
import Units

@testable import Live

/// Beats once a second, in the run of a household or of a visitor.
private protocol Beating: Experience where Move == NoMove {}

extension Beating {
    private static var second: Frame { Frame(48_000) }

    mutating func begin(at now: Now, _ memory: Memory?) -> Effects { Effects(wake: .frame(Self.second)) }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        if case .tick = input { Effects(wake: .frame(now.frame + (Self.second - .zero))) } else { Effects() }
    }
}

private struct Visited: Beating {
    static let declaration = Declaration(name: "visited", rulesVersion: 1, about: "beats")
    init(_ opening: Opening) {}
}

private struct AtHome: Beating {
    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "at-home", rulesVersion: 1, about: "beats", policy: .household(rollOver: four))
    }()

    init(_ opening: Opening) {}
}

extension Stage {
    fileprivate var hasVisit: Bool { conductor.visit != nil }
    fileprivate var events: Int? { conductor.run?.events }
    fileprivate var nextWake: Frame? { timers.wake?.frame }
    /// What comes true when the piece is looked at next, to be woken.
    fileprivate var nextLook: EventLoopFuture<Void>? { timers.wake?.timer.futureResult }
}

@Suite struct StageTests {
    @Test func `what the conductor did before it refused an event is followed up`() async throws {
        let rig = try StageRig(Visited.self)
        // An hour ahead, so that no timer is due while this runs.
        let start = monotonicNanoseconds() + 3_600_000_000_000
        rig.play(from: start)
        _ = try await rig.stage.report(.touch(Touch(.began)), at: nil, from: .connection(1), ticket: nil, now: start)
        _ = try await rig.stage.report(.touch(Touch(.ended)), at: nil, from: .connection(1), ticket: nil, now: start)
        #expect(await rig.stage.nextWake != nil && rig.lastWord() == true)
        // By then the visit is over, and nobody wants a tick.
        await #expect(throws: (any Error).self) {
            try await rig.stage.report(.chime(name: "gong"), at: nil, from: .connection(1), ticket: nil, now: start + 60_000_000_000)
        }
        #expect(await rig.stage.nextWake == nil && rig.lastWord() == false)
        try await rig.stop()
    }

    @Test func `what a household's piece plays with nobody there is as exact as what a visitor hears`() async throws {
        let rig = try StageRig(AtHome.self)
        let start = monotonicNanoseconds() + 3_600_000_000_000
        rig.play(from: start)
        _ = try await rig.stage.report(.mark("here"), at: nil, from: .connection(1), ticket: nil, now: start)
        #expect(await rig.stage.hasVisit == false)
        #expect(await rig.stage.nextWake != nil && rig.lastWord() == true)
        try await rig.stop()
    }

    @Test func `nothing is woken before the output says which frame is heard when`() async throws {
        let rig = try StageRig(AtHome.self)
        // A household begins, and wants a tick in a second; as the clock stands at frame 0, so many would be due at once.
        _ = try await rig.stage.report(.mark("here"), at: nil, from: .connection(1), ticket: nil)
        for _ in 0..<2 { try await rig.stage.nextLook?.get() }
        #expect(await rig.stage.events == 2)
        #expect(await rig.stage.nextWake != nil)
        try await rig.stop()
    }
}
