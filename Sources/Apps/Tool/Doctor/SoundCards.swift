/// A sound card, as the kernel lists it in /proc/asound/cards.
struct SoundCard: Equatable {
    var number: Int
    /// The name by which programs open the card, for instance `PCH`.
    var id: String
    /// The name of the card's driver, for instance `HDA-Intel`, `USB-Audio` or `sof-hda-dsp`.
    var driver: String
    var name: String

    /// Reads the list. Lines that do not begin a card are skipped: a card's second line only says where it is plugged in.
    static func list(_ text: String) -> [SoundCard] {
        text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /\ *([0-9]+) \[([^\]]*)\]: (.*?) - (.*)/), let number = Int(match.1) else { return nil }
            return SoundCard(number: number, id: match.2.trimmed, driver: match.3.trimmed, name: match.4.trimmed)
        }
    }

    /// The card's name for people, for instance `card 0, PCH (HDA Intel PCH)`.
    var words: String { "card \(number), \(id) (\(name))" }

    var isUSB: Bool { driver == "USB-Audio" }

    /// Whether the card plays through a processor with Sound Open Firmware. `drivers` are the kernel drivers of the card and of the devices
    /// that contain it.
    func isFirmware(drivers: [String]) -> Bool {
        driver == "SOF" || driver.hasPrefix("sof-") || drivers.contains { $0.hasPrefix("sof-") }
    }
}

/// Judges how Sound Open Firmware, which runs on a card's own processor, delays the sound of a touch.
enum SoundFirmware {
    /// The file of a kernel module's parameter, `Y` or `N`: whether the driver for Intel's audio processors refuses rewinds.
    static let parameter = "/sys/module/snd_sof_intel_hda_common/parameters/disable_rewinds"

    /// Judges the delay by the firmware of `card`. `rewindsOff` is the text of the file `parameter`; nil where there is no such file, as
    /// with processors of other makers. `isPipeWire` says whether PipeWire plays on the card, which never rewinds.
    static func judge(_ card: SoundCard, rewindsOff: String?, isPipeWire: Bool) -> Diagnosis {
        let words = "\(card.words) plays by Sound Open Firmware, which holds some sound of its own ahead of the loudspeaker"
        switch rewindsOff {
        case "Y" where !isPipeWire: return .trouble(.refusesRewinds(words))
        case "Y": return .ok(.sound, words + "; its driver refuses rewinds (disable_rewinds=Y), for which PipeWire does not ask")
        case "N": return .ok(.sound, words + "; its driver allows rewinds (disable_rewinds=N)")
        default: return .ok(.sound, words + "; whether its driver allows rewinds cannot be told")
        }
    }
}

extension Substring {
    /// The text without white space at its start and end.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// The playback settings of a USB sound card, as the kernel lists them in /proc/asound/cardN/stream0.
struct USBSound: Equatable {
    /// The speed of the connection in the kernel's words, for instance `full speed`; nil where the kernel does not say.
    var speed: String?
    /// The time between two packets, in microseconds, of each playback setting; empty for a card that only records.
    var intervals: [Int]
}

extension USBSound {
    /// The time between two packets at full speed, in microseconds: one packet in each frame of the bus.
    private static let frame = 1_000

    /// Reads the text of stream0. A playback setting without an interval is on a full-speed bus.
    init(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        speed = lines.first?.firstMatch(of: /, ((?:low|full|high|super) speed(?: plus)?) :/).map { String($0.1) }
        intervals = []
        for line in lines.drop(while: { $0 != "Playback:" }).prefix(while: { $0 != "Capture:" }) {
            // The line `Interface = 1`, which says what is in use now, does not match.
            if line.wholeMatch(of: /Interface [0-9]+/) != nil {
                intervals.append(Self.frame)
            } else if !intervals.isEmpty, let match = line.wholeMatch(of: /Data packet interval: ([0-9]+) us/) {
                intervals[intervals.count - 1] = Int(match.1) ?? Self.frame
            }
        }
    }

    /// Judges how the USB connection delays the sound of a touch; nil for a card that only records. `classCode` is the text of
    /// bInterfaceClass of the card's interface, two hexadecimal digits; nil where it cannot be read.
    func judge(_ card: SoundCard, classCode: String?) -> Diagnosis? {
        guard let interval = intervals.min() else { return nil }
        // 01 is the class Audio in the USB-IF's list of base classes.
        let kind = switch classCode {
        case "01": "of the USB audio class"
        case nil: "on USB"
        default: "on USB by a driver for this make, not of the USB audio class"
        }
        let words = "\(card.words), \(kind)" + (speed.map { ", \($0)" } ?? "")
            + ": a packet each \((Double(interval) / 1_000).fixed(interval % 1_000 == 0 ? 0 : 3)) ms"
        guard interval <= Self.frame else { return .trouble(.rarePackets(words)) }
        return .ok(.sound, words + "; the kernel may have up to 18 ms on their way to it, which nothing changes any more")
    }
}
