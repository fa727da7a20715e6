import CEvdev
import CLinux
import Dispatch
import Glibc
import Signals
import Synchronization

/// Changes of one screen's fingers, all of one moment.
public struct TouchReport: Sendable {
    /// Tells screens apart, 1 and up; never the same again, not even for the same screen plugged in again.
    public var screen: Int
    /// As the kernel stamped it, CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// Positions are the picture's.
    public var touches: [Touch]
    /// Whether the fingers ended because the screen is gone.
    public var isLast = false
}

/// A touchscreen being read, on a thread of its own, until it is unplugged or let go.
// Safe to share, because all but the descriptor belongs to the reading thread, and revoking a descriptor is safe from any.
final class TouchScreen: @unchecked Sendable {
    private let node: DeviceNode
    private let number: Int
    private let rule: TouchRule
    private var contacts: ContactTracker
    private let report: @Sendable (TouchReport) -> Void
    private let queue: DispatchQueue
    /// Times that the kernel had to drop events, since they were read too late.
    private let dropped = Atomic<Int>(0)

    /// `gone` is called last, when no finger is down any more.
    init(_ node: DeviceNode, number: Int, rule: TouchRule, contacts: ContactTracker,
         report: @escaping @Sendable (TouchReport) -> Void, gone: @escaping @Sendable () -> Void) {
        self.node = node
        self.number = number
        self.rule = rule
        self.contacts = contacts
        self.report = report
        queue = DispatchQueue(label: "touch \(node.identity.node)")
        queue.async { [self] in
            prioritised { read() }
            gone()
        }
    }

    /// Whether the device is still there.
    var isThere: Bool { !node.isGone }

    var drops: Int { dropped.load(ordering: .relaxed) }

    /// As if it were unplugged; returns when the thread has ended.
    func stop() {
        evdev_revoke(node.descriptor)
        queue.sync {}
    }

    private func read() {
        // Fingers that were there before.
        node.state({ contacts.take(type: $0, code: $1, value: $2) }, style: contacts.style)
        tell(contacts.report(), at: monotonicNanoseconds())
        while true {
            switch node.next() {
            case .event(let event):
                guard event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) else {
                    contacts.take(type: UInt32(event.type), code: UInt32(event.code), value: event.value)
                    continue
                }
                tell(contacts.report(), at: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000)
            case .dropped: dropped.add(1, ordering: .relaxed)
            case .nothing: node.wait()
            case .gone: return tell(contacts.release(), at: monotonicNanoseconds(), isLast: true)
            }
        }
    }

    private func tell(_ changes: [ContactTracker.Change], at moment: Int64, isLast: Bool = false) {
        guard !changes.isEmpty else { return }
        report(TouchReport(screen: number, moment: moment, touches: changes.map { change in
            let place = rule.place(change.x, change.y)
            return Touch(change.phase, finger: change.finger, x: place.x, y: place.y)
        }, isLast: isLast))
    }

    /// Runs `body` before ordinary programs, where the system allows it, and gives the thread back as it was.
    private func prioritised(_ body: () -> Void) {
        var priority = sched_param(sched_priority: 3)
        let isAllowed = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0
        body()
        guard isAllowed else { return }
        priority.sched_priority = 0
        pthread_setschedparam(pthread_self(), SCHED_OTHER, &priority)
    }
}
