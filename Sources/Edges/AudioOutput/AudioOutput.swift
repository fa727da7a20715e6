import Synchronization
import Synth

/// What runs a renderer on a thread of its own.
public protocol AudioOutput: Sendable {
    /// Stops rendering and returns when the thread has ended. Call once.
    func stop()
}

/// How the two sides wake each other.
public struct Doorbells: Sendable {
    /// Rung by the control side when it has sent something.
    public let render: Doorbell
    /// Rung by the render thread when it has said something.
    public let control: Doorbell

    public init(render: Doorbell, control: Doorbell) {
        self.render = render
        self.control = control
    }
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
