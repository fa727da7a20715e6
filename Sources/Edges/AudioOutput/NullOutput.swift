import CLinux
import Glibc
import Synth

/// An output without a sound server: time goes on, and nothing is heard.
public final class NullOutput: AudioOutput {
    private let flag = StopFlag()
    private let bells: Doorbells
    private let thread: RenderThread

    /// Time goes `speed` times as fast as it does, 1 to 1000, for whoever goes by the report's clock: so a day is over in minutes.
    public init(_ renderer: consuming Renderer, bells: Doorbells, speed: Double = 1) {
        let handover = Handover(renderer)
        self.bells = bells
        // Faster than real is more work than others should have to stand back for.
        thread = RenderThread(isUrgent: speed == 1) { [flag] isRealtime in
            var player = Player(handover.take(), queue: .zero, bell: bells.control, state: .null,
                                now: monotonicNanoseconds(), speed: speed)
            player.report.isRealtime = isRealtime
            while !flag.isRaised {
                player.runFree(now: monotonicNanoseconds())
                bells.render.hasRung(within: 50)
                player.report.wakeUps += 1
            }
        }
    }

    public func stop() {
        flag.raise()
        bells.render.ring()
        thread.join()
    }
}
