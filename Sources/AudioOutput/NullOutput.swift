import CLinux
import Glibc
import Synth

/// An output without a sound server: time goes on, and nothing is heard.
public final class NullOutput: AudioOutput {
    private let flag = StopFlag()
    private let bells: Doorbells
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, bells: Doorbells) {
        let handover = Handover(renderer)
        self.bells = bells
        thread = RenderThread { [flag] isRealtime in
            var player = Player(handover.take(), queue: .zero, bell: bells.control, state: .null,
                                now: monotonicNanoseconds())
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
