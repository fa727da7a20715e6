import CLinux
import Glibc
import Synchronization
import Synth

/// An output, which runs a renderer on a thread of its own.
public protocol AudioOutput: Sendable {
    /// Stops rendering and returns when the thread has ended. Call once.
    func stop()
}

/// The bells with which the control side and the render thread wake each other.
public struct Doorbells: Sendable {
    /// The bell that wakes the render thread. The control side rings it after it has sent a command.
    public let render: Doorbell
    /// The bell that wakes the control side. The render thread rings it after it has sent a notice.
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

    /// Returns the renderer. Call once.
    func take() -> Renderer {
        guard let renderer = renderer.withLock({ $0.take() }) else { preconditionFailure("taken before") }
        return renderer
    }
}

/// A thread for rendering, with real-time priority where the system grants it.
final class RenderThread: Sendable {
    private let thread: pthread_t
    private let flag: StopFlag
    private let bell: Doorbell

    /// Runs `body` on a new thread until `stop`, which raises the flag and rings `bell`. `body` gets whether it has real-time priority; a
    /// thread that is not urgent never has it.
    init(wokenBy bell: Doorbell, isUrgent: Bool = true, _ body: @escaping @Sendable (_ flag: StopFlag, _ isRealtime: Bool) -> Void) {
        let flag = StopFlag()
        let box = Unmanaged.passRetained(Body(isUrgent: isUrgent) { body(flag, $0) })
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { argument in
            guard let argument else { return nil }
            let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
            // The priority is above ordinary programs and below the sound server's own threads. Without RLIMIT_RTPRIO it is refused, and
            // the thread runs with the ordinary priority.
            var priority = sched_param(sched_priority: 4)
            body.run(body.isUrgent && pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0)
            return nil
        }, box.toOpaque())
        precondition(status == 0, "a thread can be started: \(String(cString: strerror(status)))")
        self.thread = thread
        self.flag = flag
        self.bell = bell
    }

    /// Makes `body` return, and waits until it has. Call once.
    func stop() {
        flag.raise()
        bell.ring()
        pthread_join(thread, nil)
    }

    private final class Body: Sendable {
        let isUrgent: Bool
        let run: @Sendable (Bool) -> Void

        init(isUrgent: Bool, _ run: @escaping @Sendable (Bool) -> Void) {
            self.isUrgent = isUrgent
            self.run = run
        }
    }
}

/// A bell that wakes a thread which waits in poll(2): an eventfd.
public final class Doorbell: Sendable {
    public let descriptor: Int32
    /// Whether the bell has rung and nobody has heard it yet. Ringing again then would change nothing, and would cost a system call.
    private let isRinging = Atomic(false)

    public init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "eventfd: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// Rings the bell. Never waits, allocates or fails. Ringing twice is the same as ringing once. Thread: any.
    public func ring() {
        if !isRinging.exchange(true, ordering: .acquiringAndReleasing) { eventfd_write(descriptor, 1) }
    }

    /// Resets the bell. Call this before looking for work, not after.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        heard()
    }

    /// Resets the bell, for a caller that has read the descriptor itself. Call this after the reading, and before looking for work.
    public func heard() {
        // An exchange, unlike a store, makes visible what was done before the last ring.
        _ = isRinging.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Waits until the bell rings, at most `milliseconds`, and resets it. Returns false if it has not rung.
    @discardableResult
    public func hasRung(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return false }
        clear()
        return true
    }
}

/// An output without sound: time goes on, and nothing is heard.
public final class NullOutput: AudioOutput {
    private let thread: RenderThread

    /// Starts the output. The report's clock runs `speed` times as fast as real time, 1 to 1000, so that a day can pass in minutes.
    public init(_ renderer: consuming Renderer, bells: Doorbells, speed: Double = 1) {
        let handover = Handover(renderer)
        // Rendering faster than real time is too much work for real-time priority.
        thread = RenderThread(wokenBy: bells.render, isUrgent: speed == 1) { flag, isRealtime in
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

    public func stop() { thread.stop() }
}
