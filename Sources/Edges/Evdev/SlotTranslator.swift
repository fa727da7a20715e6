import CEvdev
import CMtdev

/// Multitouch protocol A, which tells fingers without saying which is which, as protocol B: libmtdev finds out by the device's own
/// ids, or else by the nearest places. Thread: one at a time.
final class SlotTranslator {
    private let device: UnsafeMutablePointer<mtdev>
    /// The packet so far. It is translated when it is complete, so that nothing of one that is cut short counts.
    private var packet: [input_event] = []

    /// Events of a packet, at most: libmtdev has no room for more. Others are passed over.
    private static let longestPacket = 120

    /// Nil if there is no memory for it.
    init?(_ capabilities: DeviceCapabilities) {
        guard let device = mtdev_new() else { return nil }
        guard mtdev_init(device) == 0 else {
            mtdev_delete(device)
            return nil
        }
        for (code, range) in capabilities.axes where code > ABS_MT_SLOT {
            mtdev_set_mt_event(device, code, 1)
            mtdev_set_abs_minimum(device, code, range.lowerBound)
            mtdev_set_abs_maximum(device, code, range.upperBound)
        }
        self.device = device
    }

    deinit { mtdev_close_delete(device) }

    /// Takes an event that does not end the packet.
    func take(_ event: input_event) {
        if packet.count < Self.longestPacket { packet.append(event) }
    }

    /// The packet is complete: `take` gets the events of protocol B that say the same.
    func report(_ take: (_ type: UInt32, _ code: UInt32, _ value: Int32) -> Void) {
        if isRelease { packet.append(Self.event(SYN_MT_REPORT)) }
        // A packet without a word about fingers is none about there being no finger.
        if packet.contains(where: Self.isOfFingers) { packet.append(Self.event(SYN_REPORT)) }
        for event in packet {
            withUnsafePointer(to: event) { mtdev_put_event(device, $0) }
            while mtdev_empty(device) == 0 {
                var event = input_event()
                mtdev_get_event(device, &event)
                take(UInt32(event.type), UInt32(event.code), event.value)
            }
        }
        packet.removeAll(keepingCapacity: true)
    }

    /// Forgets the packet so far, the rest of which was lost. If no finger `isDown`, all that were are let go with the next report.
    func drop(isDown: Bool) {
        packet.removeAll(keepingCapacity: true)
        if !isDown { packet.append(Self.event(SYN_MT_REPORT)) }
    }

    /// Whether the packet says by the button alone that the last finger has left, as some drivers do.
    private var isRelease: Bool {
        packet.contains { $0.type == UInt16(EV_KEY) && $0.code == UInt16(BTN_TOUCH) && $0.value == 0 }
            && !packet.contains(where: Self.isOfFingers)
    }

    private static func isOfFingers(_ event: input_event) -> Bool {
        event.type == UInt16(EV_SYN) || (event.type == UInt16(EV_ABS) && event.code > UInt16(ABS_MT_SLOT))
    }

    private static func event(_ code: Int32) -> input_event {
        var event = input_event()
        event.type = UInt16(EV_SYN)
        event.code = UInt16(code)
        return event
    }
}
