import CEvdev
import CLinux
import Glibc
import NIOCore
import NIOPosix
import Signals
import Synchronization
import SystemPackage

/// The changes of one screen's fingers at one time.
public struct TouchReport: Sendable {
    /// The screen's number, from 1 on. It is never reused, not even for the same screen when it is plugged in again.
    public var screen: Int
    /// The kernel's time of the event, CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// The changes, with positions as fractions of the picture's width and height.
    public var touches: [Touch]
    /// Whether the fingers ended because the screen is gone.
    public var isLast: Bool

    public init(screen: Int, moment: Int64, touches: [Touch], isLast: Bool = false) {
        self.screen = screen
        self.moment = moment
        self.touches = touches
        self.isLast = isLast
    }
}

/// A touchscreen that is being read on an event loop, until it is unplugged or stopped.
final class TouchScreen: Sendable {
    private let channel: any Channel
    private let dropped: Drops

    /// The number of times that the kernel dropped events, counted by the event loop and read on any thread.
    final class Drops: Sendable {
        fileprivate let count = Atomic<Int>(0)
    }

    /// Begins to read. Waits for the event loop, so it must not be called on it. `report` is called on the event loop; so is `gone`, at the
    /// end, when no finger is down any more. Throws NIO's error, or `Errno` if no file descriptor is left.
    init(_ node: DeviceNode, number: Int, rule: TouchRule, contacts: ContactTracker, on loop: any EventLoop,
         report: @escaping @Sendable (TouchReport) -> Void, gone: @escaping @Sendable () -> Void) throws {
        let dropped = Drops()
        self.dropped = dropped
        var translator: SlotTranslator?
        if contacts.style == .multitouch, node.capabilities.isProtocolA {
            translator = SlotTranslator(node.capabilities)
            guard translator != nil else { throw Errno.noMemory }
        }
        let descriptor = try node.duplicate()
        let reader = NIOLoopBoundBox.makeBoxSendingValue(
            TouchReader(node, number: number, rule: rule, contacts: contacts, translator: translator, dropped: dropped,
                        report: report, gone: gone),
            eventLoop: loop)
        do {
            channel = try NIOPipeBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(reader.value) }
                }
                .takingOwnershipOfDescriptor(input: descriptor).wait()
        } catch {
            // A channel closes its descriptor itself. Here no channel was made.
            close(descriptor)
            throw error
        }
    }

    /// Whether the screen is being read.
    var isThere: Bool { channel.isActive }

    /// The number of times that the kernel dropped events, because they were read too late. Later parts drop touches, too. `TouchIntake`
    /// drops moves that come soon after another, and does not count them. `TouchDesk.take` drops touches for which there is no room, and
    /// counts them as overload.
    var drops: Int { dropped.count.load(ordering: .relaxed) }

    /// Stops reading, and returns when all fingers were reported as ended. Must not be called on the event loop.
    func stop() { try? channel.close().wait() }
}

/// Reads the kernel's events as they arrive. Thread: the event loop.
private final class TouchReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let node: DeviceNode
    private let number: Int
    private let rule: TouchRule
    private var contacts: ContactTracker
    /// The translator for a device without slots; nil for a device with slots, whose events need no translation.
    private let translator: SlotTranslator?
    private let dropped: TouchScreen.Drops
    private let report: (TouchReport) -> Void
    private let gone: () -> Void
    /// Whether events of the present packet were dropped, so that the rest of the packet means nothing.
    private var isAstray = false

    init(_ node: DeviceNode, number: Int, rule: TouchRule, contacts: ContactTracker, translator: SlotTranslator?,
         dropped: TouchScreen.Drops, report: @escaping (TouchReport) -> Void, gone: @escaping () -> Void) {
        self.node = node
        self.number = number
        self.rule = rule
        self.contacts = contacts
        self.translator = translator
        self.dropped = dropped
        self.report = report
        self.gone = gone
    }

    /// Takes over fingers that are already down.
    func channelActive(context: ChannelHandlerContext) { catchUp() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            // The kernel delivers only whole events.
            for offset in stride(from: 0, through: bytes.count - MemoryLayout<input_event>.size, by: MemoryLayout<input_event>.stride) {
                guard take(bytes.loadUnaligned(fromByteOffset: offset, as: input_event.self)) else { return }
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        tell(contacts.release(), at: monotonicNanoseconds(), isLast: true)
        gone()
    }

    /// Takes the kernel's next event. Returns false when the other events that were read with it must be discarded.
    private func take(_ event: input_event) -> Bool {
        switch (Int32(event.type), Int32(event.code)) {
        case (EV_SYN, SYN_DROPPED):
            isAstray = true
            dropped.count.add(1, ordering: .relaxed)
        case (EV_SYN, SYN_REPORT):
            guard !isAstray else {
                catchUp()
                return false
            }
            translator?.report { contacts.take(type: $0, code: $1, value: $2) }
            tell(contacts.report(), at: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000)
        default:
            guard !isAstray else { break }
            if let translator {
                translator.take(event)
                break
            }
            contacts.take(type: UInt32(event.type), code: UInt32(event.code), value: event.value)
        }
        return true
    }

    /// Takes the present state from the kernel, and discards the events that led to it. Events that arrive meanwhile are read again later,
    /// and then change nothing.
    private func catchUp() {
        isAstray = false
        node.drain()
        if let translator {
            // For protocol A the kernel stores only whether any finger is down. The next packet has all fingers.
            translator.drop(isDown: node.isPressed(BTN_TOUCH))
            translator.report { contacts.take(type: $0, code: $1, value: $2) }
        } else {
            node.state({ contacts.take(type: $0, code: $1, value: $2) }, style: contacts.style)
        }
        tell(contacts.report(), at: monotonicNanoseconds())
    }

    private func tell(_ changes: [ContactTracker.Change], at moment: Int64, isLast: Bool = false) {
        guard !changes.isEmpty else { return }
        report(TouchReport(screen: number, moment: moment, touches: changes.map { change in
            guard let x = change.x, let y = change.y else { return Touch(change.phase, finger: change.finger) }
            let point = rule.onPicture(x, y)
            return Touch(change.phase, finger: change.finger, x: point.x, y: point.y)
        }, isLast: isLast))
    }
}

/// A touchscreen in use: its node, its rule, and whether its events arrive.
struct OpenScreen: Sendable {
    let name: String
    let device: DeviceNode
    let rule: TouchRule
    /// The number of positions that the sensor distinguishes across and down.
    let resolution: (width: Int, height: Int)
    let screen: TouchScreen
    /// Whether another program has grabbed the screen.
    var isDeaf: Bool

    /// The log's words for a grabbed screen, which follow its name.
    static let deafness = "is grabbed by another program: nothing of it will be heard"

    /// If `isWanted`, takes the screen's events for this process alone. Otherwise shares them with other processes, unless the screen's
    /// rule forbids that. Thread: the queue that looks for devices.
    mutating func grab(_ isWanted: Bool) {
        if isWanted || rule.isGrabbed {
            isDeaf = !device.grab()
        } else {
            device.release()
            isDeaf = false
        }
    }

    func report(number: Int, node: String) -> Devices.Report.Screen {
        let isUpright = rule.turn == .none || rule.turn == .half
        return Devices.Report.Screen(number: number, name: name, node: node, drops: screen.drops, turn: rule.turn,
                                     width: isUpright ? resolution.width : resolution.height,
                                     height: isUpright ? resolution.height : resolution.width, isDeaf: isDeaf)
    }
}
