/// An input device, as the kernel lists it in /proc/bus/input/devices, which may be read also where the device itself may not be opened.
struct ListedInput: Equatable {
    var name: String
    /// The path of its node, for instance `/dev/input/event3`.
    var node: String
    /// The codes of EV_KEY and EV_ABS, and the properties INPUT_PROP_….
    var keys: Set<Int>
    var axes: Set<Int>
    var properties: Set<Int>

    /// Codes of linux/input-event-codes.h.
    private enum Code {
        static let absX = 0x00, absY = 0x01, absMTPositionX = 0x35
        static let toolPen = 0x140, toolFinger = 0x145, touch = 0x14A, stylus = 0x14B
        static let direct = 0x01
    }

    /// Reads the list; devices without an event node are left out. `wordBits` is the size of a word of the kernel's bit sets, which are
    /// printed without leading zeros.
    static func list(_ text: String, wordBits: Int = UInt.bitWidth) -> [ListedInput] {
        text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n")
            func rest(_ beginning: String) -> Substring? { lines.first { $0.hasPrefix(beginning) }?.dropFirst(beginning.count) }
            func bits(_ name: String) -> Set<Int> { Self.bits(rest("B: \(name)=") ?? "", wordBits: wordBits) }
            guard let event = rest("H: Handlers=")?.split(separator: " ").first(where: { $0.hasPrefix("event") }) else { return nil }
            let name = (rest("N: Name=") ?? "").drop { $0 == "\"" }
            return ListedInput(name: String(name.hasSuffix("\"") ? name.dropLast() : name), node: "/dev/input/" + event, keys: bits("KEY"),
                               axes: bits("ABS"), properties: bits("PROP"))
        }
    }

    private static func bits(_ text: Substring, wordBits: Int) -> Set<Int> {
        let words = text.split(separator: " ").map { UInt64($0, radix: 16) ?? 0 }
        return Set(words.reversed().enumerated().flatMap { place, word in
            (0..<wordBits).filter { word >> UInt64($0) & 1 != 0 }.map { place * wordBits + $0 }
        })
    }

    /// Whether people touch it with a finger, and see there what they touch: as udev judges (src/udev/udev-builtin-input_id.c of systemd),
    /// and any pen left out.
    var isTouchscreen: Bool {
        let isPen = keys.contains(Code.stylus) || (keys.contains(Code.toolPen) && !keys.contains(Code.touch))
        let isPad = keys.contains(Code.toolFinger) && !properties.contains(Code.direct)
        let hasPlane = axes.isSuperset(of: [Code.absX, Code.absY]) || axes.contains(Code.absMTPositionX)
        return hasPlane && !isPen && !isPad && (keys.contains(Code.touch) || properties.contains(Code.direct))
    }

    /// Whether it tells one position alone, however many fingers there are.
    var isSingleTouch: Bool { isTouchscreen && !axes.contains(Code.absMTPositionX) }

    /// Says which of `screens`, which are read, tell one finger only. Nil where all tell several.
    static func judgeFingers(_ screens: [ListedInput]) -> Diagnosis? {
        let single = screens.filter(\.isSingleTouch)
        guard !single.isEmpty else { return nil }
        return .warning(.devices, "touchscreens that tell one finger only: \(single.map(\.words).joined(separator: ", ")); two people, or "
                            + "gestures of two fingers, are impossible there",
                        advice: "fine where one person plays with one finger; else use a touchscreen for several fingers, and a driver "
                            + "that tells them (ABS_MT_POSITION_X)")
    }

    var words: String { "\(name) (\(node))" }
}

/// The permissions of an input device that may not be opened.
struct NodeAccess: Equatable {
    /// The group's name, or its number where it has none.
    var group: String
    /// The mode, of which the permissions count, as in 0o660.
    var mode: UInt32

    /// A rule for udev by which every input device is the group's.
    private static let rule = #"SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660""#
    private static let follow = "sudo udevadm trigger --subsystem-match=input --action=change"

    /// Says what gives a user access. `hasRule` says whether the package's udev rules are installed.
    func advice(hasRule: Bool) -> String {
        if mode & 0o060 == 0o060, group != "root" {
            return "\(Self.join(group)); of a service: SupplementaryGroups=\(group) in its unit"
        }
        if hasRule { return "udev's rules for it are there, and it has not followed them: \(Self.follow); then \(Self.join("input"))" }
        return "a file /etc/udev/rules.d/70-thrum.rules with the line \(Self.rule), then sudo udevadm control --reload and \(Self.follow); "
            + "then \(Self.join("input"))"
    }

    private static func join(_ group: String) -> String { "sudo usermod -aG \(group) \"$USER\", and log in again" }
}
