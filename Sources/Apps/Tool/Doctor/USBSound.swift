/// The ways in which a USB sound card can be sent sound, as the kernel lists them in /proc/asound/cardN/stream0.
struct USBSound: Equatable {
    /// The speed of the connection as the kernel says it, for instance `full speed`; nil where it does not say.
    var speed: String?
    /// The time from one packet to the next, in microseconds, of each way to play; empty for a card that only records.
    var intervals: [Int]

    /// The time between two packets at full speed, in microseconds: one in each frame of the bus.
    private static let frame = 1_000

    init(speed: String?, intervals: [Int]) {
        self.speed = speed
        self.intervals = intervals
    }

    /// Reads the list. Where a way to play tells no interval, the bus has full speed.
    init(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        speed = lines.first?.firstMatch(of: /, ((?:low|full|high|super) speed(?: plus)?) :/).map { String($0.1) }
        intervals = []
        for line in lines.drop(while: { $0 != "Playback:" }).prefix(while: { $0 != "Capture:" }) {
            // `Interface = 1` is another line: it says what is in use now.
            if line.wholeMatch(of: /Interface [0-9]+/) != nil {
                intervals.append(Self.frame)
            } else if !intervals.isEmpty, let match = line.wholeMatch(of: /Data packet interval: ([0-9]+) us/) {
                intervals[intervals.count - 1] = Int(match.1) ?? Self.frame
            }
        }
    }

    /// Says what the connection means for how soon a touch is heard; nil for a card that only records. `classCode` is the text of
    /// bInterfaceClass of the card's interface, two hexadecimal digits; nil where it cannot be read.
    func judge(_ card: SoundCard, classCode: String?) -> Diagnosis? {
        guard let interval = intervals.min() else { return nil }
        // 01 is the class Audio, by the USB-IF's list of base classes.
        let kind = switch classCode {
        case "01": "of the USB audio class"
        case nil: "on USB"
        default: "on USB by a driver for this make, not of the USB audio class"
        }
        let words = "\(card.words), \(kind)" + (speed.map { ", \($0)" } ?? "")
            + ": a packet each \((Double(interval) / 1_000).fixed(interval % 1_000 == 0 ? 0 : 3)) ms"
        guard interval <= Self.frame else {
            return .warning(.sound, words + ", so that a touch waits for up to so long before it is even sent",
                            advice: "use another card: most ask for a packet each millisecond, or more often")
        }
        return .ok(.sound, words + "; the kernel may have up to 18 ms on their way to it, which nothing changes any more")
    }
}
