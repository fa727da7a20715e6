import CEvdev

/// The events that a device can report. A pure value, which `DeviceNode` fills with what the kernel says.
struct DeviceCapabilities: Equatable, Sendable {
    /// The codes of EV_KEY.
    var keys: Set<Int32> = []
    /// The codes of EV_ABS, and the ranges of their values.
    var axes: [Int32: ClosedRange<Int32>] = [:]
    /// The codes of EV_REL.
    var motions: Set<Int32> = []
    /// The codes of EV_SW.
    var switches: Set<Int32> = []
    /// The properties, INPUT_PROP_….
    var properties: Set<Int32> = []
    /// The number of slots of multitouch protocol B; 0 if the device does not use it.
    var slots = 0

    /// The tags that udev's input_id gives to pointing devices. A device may have several.
    enum Tag: Sendable { case touchscreen, touchpad, tablet, absolutePointer }

    /// The device's tags, computed as `test_pointers` of systemd 252 does (src/udev/udev-builtin-input_id.c).
    var tags: Set<Tag> {
        let hasPlane = has(ABS_X, ABS_Y)
        let isAccelerometer = properties.contains(INPUT_PROP_ACCELEROMETER) || (keys.isEmpty && hasPlane && has(ABS_Z))
        guard !isAccelerometer else { return [] }
        var tags: Set<Tag> = []
        if hasPlane {
            if hasStylus {
                tags.insert(.tablet)
            } else if isFinger, !isDirect {
                tags.insert(.touchpad)
            } else if hasMouseButton {
                tags.insert(.absolutePointer)
            } else if hasTouch || isDirect {
                tags.insert(.touchscreen)
            }
        }
        if hasMultitouch {
            if hasStylus {
                tags.insert(.tablet)
            } else if isFinger, !isDirect {
                tags.insert(.touchpad)
            } else if hasTouch || isDirect {
                tags.insert(.touchscreen)
            }
        }
        return tags
    }

    /// Whether the device is used without a rule. It is if udev calls it a touchscreen, or if it has INPUT_PROP_DIRECT, which means that it
    /// lies over a picture. With that property it may also claim a mouse button, or a pen beside several fingers.
    var isTouchscreen: Bool {
        let tags = tags
        return tags.contains(.touchscreen) || (isDirect && (tags.contains(.absolutePointer) || (tags.contains(.tablet) && hasMultitouch)))
    }

    /// Whether people may type on the device: it has the letters' upper row, and Enter.
    var isKeyboard: Bool { keys.isSuperset(of: Array(KEY_Q...KEY_P) + [KEY_ENTER]) }

    /// Whether the device reports fingers by protocol A, without slots.
    var isProtocolA: Bool { hasMultitouch && !has(ABS_MT_SLOT) }

    /// Returns the tracker that reads the device as one of the kind `kind`; nil if the device lacks what that kind needs.
    func contacts(as kind: TouchRule.Kind) -> ContactTracker? {
        switch kind {
        case .touch: isTouchscreen ? fingers ?? (isDirect ? single(BTN_LEFT) : nil) : nil
        case .surface: hasPen && !isMultitouch ? nil : fingers
        case .pen: hasPen ? single(BTN_TOUCH, tools: Self.penTools) : nil
        case .mouse: mouse
        }
    }

    /// The first kind, in the order of `Kind`, as which the device can be read; nil if it can be read as none.
    var kind: TouchRule.Kind? { TouchRule.Kind.allCases.first { contacts(as: $0) != nil } }

    private static let penTools = Set(
        [BTN_TOOL_PEN, BTN_TOOL_RUBBER, BTN_TOOL_BRUSH, BTN_TOOL_PENCIL, BTN_TOOL_AIRBRUSH].map { UInt32($0) })

    private var isDirect: Bool { properties.contains(INPUT_PROP_DIRECT) }
    private var hasTouch: Bool { keys.contains(BTN_TOUCH) }
    private var hasPen: Bool { keys.contains(BTN_TOOL_PEN) }
    private var hasStylus: Bool { hasPen || keys.contains(BTN_STYLUS) }
    private var isFinger: Bool { keys.contains(BTN_TOOL_FINGER) && !hasPen }
    private var hasMouseButton: Bool { keys.contains { (BTN_MOUSE..<BTN_JOYSTICK).contains($0) } }

    /// Whether the device reports several fingers. Joysticks that claim every axis do not: they are recognized by the axis with the code
    /// before ABS_MT_SLOT, which has no meaning.
    private var hasMultitouch: Bool { has(ABS_MT_POSITION_X, ABS_MT_POSITION_Y) && !has(ABS_MT_SLOT, ABS_MT_SLOT - 1) }

    private var isMultitouch: Bool { isProtocolA || (hasMultitouch && slots > 0 && has(ABS_MT_TRACKING_ID)) }

    private func has(_ codes: Int32...) -> Bool { codes.allSatisfy { axes[$0] != nil } }

    private var fingers: ContactTracker? {
        guard isMultitouch else { return single(BTN_TOUCH) }
        return ContactTracker(.multitouch, slots: isProtocolA ? ContactTracker.mostSlots : slots, width: range(ABS_MT_POSITION_X),
                              height: range(ABS_MT_POSITION_Y))
    }

    private var mouse: ContactTracker? {
        if motions.isSuperset(of: [REL_X, REL_Y]), keys.contains(BTN_LEFT) {
            return ContactTracker(.relative(button: UInt32(BTN_LEFT)), width: 0...1, height: 0...1)
        }
        return hasPen ? nil : single(BTN_LEFT)
    }

    private func single(_ button: Int32, tools: Set<UInt32> = []) -> ContactTracker? {
        guard has(ABS_X, ABS_Y), keys.contains(button) else { return nil }
        return ContactTracker(.single(button: UInt32(button), tools: tools), width: range(ABS_X), height: range(ABS_Y))
    }

    private func range(_ code: Int32) -> ClosedRange<Int32> {
        guard let range = axes[code], range.lowerBound < range.upperBound else { return 0...1 }
        return range
    }
}
