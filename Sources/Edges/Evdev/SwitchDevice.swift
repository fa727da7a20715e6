import CEvdev
import CLinux
import Dispatch
import Glibc
import NIOCore
import NIOPosix
import SystemPackage

/// A switch that was turned on or off.
public struct SwitchReport: Sendable {
    /// The name of the rule that reads the switch.
    public var name: String
    /// The number of the device, which no touchscreen has. It is never reused, not even for the same device when it is plugged in again.
    public var device: Int
    public var use: SwitchRule.Use
    /// Whether it is a switch of the case such as a jack's, which stays on, and no key or button.
    public var isJack: Bool
    /// How long the switch must be held for a long press, in nanoseconds.
    public var hold: Int64
    /// Whether a key is down, or something is in a jack.
    public var isOn: Bool
    /// The kernel's time of the event, CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// Whether the switch is off because its device is gone, or nobody knows how long it was on: a press that is under way does not count.
    public var isLast: Bool

    public init(name: String, device: Int, use: SwitchRule.Use, isJack: Bool = false, hold: Int64, isOn: Bool, moment: Int64,
                isLast: Bool = false) {
        self.name = name
        self.device = device
        self.use = use
        self.isJack = isJack
        self.hold = hold
        self.isOn = isOn
        self.moment = moment
        self.isLast = isLast
    }
}

/// A device whose switches are being read on an event loop, until it is unplugged or stopped.
final class SwitchDevice: Sendable {
    private let channel: any Channel
    /// The names of the rules that read the device.
    let names: [String]

    /// Begins to read. Waits for the event loop, so it must not be called on it. `report` is called on the event loop; so is `gone`, at the
    /// end, when every switch has been reported as off. Throws NIO's error, or `Errno` if no file descriptor is left.
    init(_ node: DeviceNode, number: Int, rules: [(name: String, rule: SwitchRule)], on loop: any EventLoop,
         report: @escaping @Sendable (SwitchReport) -> Void, gone: @escaping @Sendable () -> Void) throws {
        names = rules.map(\.name)
        let descriptor = try node.duplicate()
        let reader = NIOLoopBoundBox.makeBoxSendingValue(SwitchReader(node, number: number, rules: rules, report: report, gone: gone),
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

    /// Whether the device is being read.
    var isThere: Bool { channel.isActive }

    /// Stops reading, and returns when all switches were reported as off. Must not be called on the event loop.
    func stop() { try? channel.close().wait() }
}

/// A device whose switches are in use, and whether its events arrive.
struct OpenSwitches: Sendable {
    let node: DeviceNode
    let device: SwitchDevice
    /// Whether other programs must not get the device's events, and still do. A key would also press what has the focus in a browser. Of
    /// jacks, other programs should know.
    private(set) var isToBeGrabbed: Bool
    /// Whether another program has grabbed the device.
    private(set) var isDeaf = false

    /// How long to wait for keys that are down.
    static let patience = DispatchTimeInterval.milliseconds(100)

    init(node: DeviceNode, device: SwitchDevice, rules: [SwitchRule]) {
        self.node = node
        self.device = device
        isToBeGrabbed = rules.contains { $0.contact.isKey }
    }

    /// Takes the device's events for this process alone. Thread: the queue that looks for devices.
    mutating func grab() {
        isDeaf = !node.grab()
        isToBeGrabbed = isDeaf
    }

    func report(node path: String) -> [Devices.Report.Switch] {
        device.names.map { Devices.Report.Switch(name: $0, node: path, isDeaf: isDeaf) }
    }
}

/// Reads the kernel's events as they arrive. Thread: the event loop.
private final class SwitchReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let node: DeviceNode
    private let number: Int
    private let rules: [(name: String, rule: SwitchRule)]
    private let report: (SwitchReport) -> Void
    private let gone: () -> Void
    private var on: Set<SwitchContact> = []
    /// Whether events of the present packet were dropped, so that the rest of the packet means nothing.
    private var isAstray = false

    init(_ node: DeviceNode, number: Int, rules: [(name: String, rule: SwitchRule)], report: @escaping (SwitchReport) -> Void,
         gone: @escaping () -> Void) {
        self.node = node
        self.number = number
        self.rules = rules
        self.report = report
        self.gone = gone
    }

    /// Takes over switches that are already on. Only somebody's presence is news then: nobody has just pressed a key or put in a plug.
    func channelActive(context: ChannelHandlerContext) { catchUp { $0 == .presence } }

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
        follow([], at: monotonicNanoseconds(), isLast: true)
        gone()
    }

    /// Takes the kernel's next event. Returns false when the other events that were read with it must be discarded.
    private func take(_ event: input_event) -> Bool {
        switch (Int32(event.type), Int32(event.code)) {
        case (EV_SYN, SYN_DROPPED): isAstray = true
        case (EV_SYN, SYN_REPORT) where isAstray:
            // A release may be among the dropped events, and its press was shorter than it seems.
            for (name, rule) in rules where rule.use == .step && on.contains(rule.contact) {
                tell(name, rule, isOn: false, at: monotonicNanoseconds(), isLast: true)
            }
            catchUp { _ in true }
            return false
        case (let type, let code) where !isAstray:
            guard let contact = rules.map(\.rule.contact).first(where: { $0.type == type && $0.code == code }) else { break }
            // A key that is held repeats itself with the value 2.
            let now = event.value == 0 ? on.subtracting([contact]) : on.union([contact])
            follow(now, at: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000)
        default: break
        }
        return true
    }

    /// Takes the present state from the kernel, and discards the events that led to it. Reports the changes of switches for whose use
    /// `isNews` returns true.
    private func catchUp(isNews: (SwitchRule.Use) -> Bool) {
        isAstray = false
        node.drain()
        follow(node.on(rules.map(\.rule.contact)), at: monotonicNanoseconds(), isNews: isNews)
    }

    private func follow(_ now: Set<SwitchContact>, at moment: Int64, isLast: Bool = false,
                        isNews: (SwitchRule.Use) -> Bool = { _ in true }) {
        let changed = now.symmetricDifference(on)
        on = now
        for (name, rule) in rules where changed.contains(rule.contact) && isNews(rule.use) {
            tell(name, rule, isOn: now.contains(rule.contact), at: moment, isLast: isLast)
        }
    }

    private func tell(_ name: String, _ rule: SwitchRule, isOn: Bool, at moment: Int64, isLast: Bool) {
        report(SwitchReport(name: name, device: number, use: rule.use, isJack: !rule.contact.isKey, hold: rule.hold, isOn: isOn,
                            moment: moment, isLast: isLast))
    }
}
