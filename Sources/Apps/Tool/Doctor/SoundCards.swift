/// A sound card, as the kernel lists it in /proc/asound/cards.
struct SoundCard: Equatable {
    var number: Int
    /// The name by which programs open the card, for instance `PCH`.
    var id: String
    /// The driver's name for itself, for instance `HDA-Intel`, `USB-Audio` or `sof-hda-dsp`.
    var driver: String
    var name: String

    /// Reads the list. Lines that begin no card are passed over: a card's second line says only where it is plugged in.
    static func list(_ text: String) -> [SoundCard] {
        text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /\ *([0-9]+) \[([^\]]*)\]: (.*?) - (.*)/), let number = Int(match.1) else { return nil }
            return SoundCard(number: number, id: match.2.trimmed, driver: match.3.trimmed, name: match.4.trimmed)
        }
    }

    /// The card for people, for instance `card 0, PCH (HDA Intel PCH)`.
    var words: String { "card \(number), \(id) (\(name))" }

    var isUSB: Bool { driver == "USB-Audio" }

    /// Whether a processor with Sound Open Firmware stands between the computer and the card. `drivers` are the kernel's drivers of the
    /// card and of what it is part of.
    func isFirmware(drivers: [String]) -> Bool {
        driver == "SOF" || driver.hasPrefix("sof-") || drivers.contains { $0.hasPrefix("sof-") }
    }
}

/// Says what Sound Open Firmware means for how soon a touch is heard.
enum SoundFirmware {
    /// The parameter by which the kernel's module for Intel's processors refuses rewinds, `Y` or `N`.
    static let parameter = "/sys/module/snd_sof_intel_hda_common/parameters/disable_rewinds"

    /// Says what the firmware means. `rewindsOff` is the text of the parameter; nil where there is none, as on a processor that is not
    /// Intel's. `isPipeWire` says whether PipeWire plays on the card, which never takes back what it has handed over.
    static func judge(_ card: SoundCard, rewindsOff: String?, isPipeWire: Bool) -> Diagnosis {
        let words = "\(card.words) plays by Sound Open Firmware, which holds some sound of its own ahead of the loudspeaker"
        switch rewindsOff {
        case "Y" where !isPipeWire:
            return .warning(.sound, words + "; its driver refuses rewinds (disable_rewinds=Y), so that what was handed to the card cannot "
                                + "be changed, and a touch waits for all of that",
                            advice: "echo \"options snd_sof_intel_hda_common disable_rewinds=0\" | sudo tee /etc/modprobe.d/thrum.conf, "
                                + "and start the machine anew; or use a card without this firmware, such as one on USB")
        case "Y": return .ok(.sound, words + "; its driver refuses rewinds (disable_rewinds=Y), for which PipeWire does not ask")
        case "N": return .ok(.sound, words + "; its driver allows rewinds (disable_rewinds=N)")
        default: return .ok(.sound, words + "; whether its driver allows rewinds cannot be told")
        }
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
