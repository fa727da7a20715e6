import Glibc
import Synchronization
import Synth

/// An output without a sound server: frames are rendered on a timer and thrown away.
public final class NullOutput: AudioOutput {
    private let flag: StopFlag
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer) {
        let flag = StopFlag()
        let handover = Handover(renderer)
        self.flag = flag
        thread = RenderThread {
            var renderer = handover.take()
            var pacer = Pacer(rate: renderer.rate, now: monotonicNanoseconds())
            while !flag.isRaised {
                pacer.catchUp(&renderer, now: monotonicNanoseconds(), state: .null)
                usleep(UInt32(Pacer.periodNanoseconds / 1000))
            }
        }
    }

    public func stop() {
        flag.raise()
        thread.join()
    }
}

/// What runs a renderer on a thread of its own.
public protocol AudioOutput: Sendable {
    /// Stops rendering and returns when the thread has ended. Call once.
    func stop()
}

final class StopFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }
    func raise() { raised.store(true, ordering: .releasing) }
}

/// Carries the renderer, which cannot be copied, into its thread.
final class Handover: Sendable {
    private let renderer: Mutex<Renderer?>

    init(_ renderer: consuming sending Renderer) { self.renderer = Mutex(consume renderer) }

    /// Call once.
    func take() -> Renderer {
        guard let renderer = renderer.withLock({ $0.take() }) else { preconditionFailure("taken before") }
        return renderer
    }
}
