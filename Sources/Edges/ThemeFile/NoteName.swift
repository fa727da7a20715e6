import Fields
import Units
import Yams

/// A note by its name: `A4`, `C#5`, `Bb3`. Equal temperament on A4 = 440 Hz (ISO 16).
public struct NoteName {
    /// Above A4, in semitones.
    private let semitones: Int

    /// Nil for what is no name of a note from C-1 to B10.
    init?(_ text: String) {
        var rest = text[...]
        guard let letter = rest.popFirst(), let step = Self.steps[letter] else { return nil }
        var accidental = 0
        if rest.first == "#" { accidental = 1 }
        if rest.first == "b" { accidental = -1 }
        if accidental != 0 { rest.removeFirst() }
        guard let octave = Int(rest), (-1...10).contains(octave), String(octave) == rest else { return nil }
        semitones = step + accidental + 12 * (octave - 4)
    }

    var frequency: Hertz { Hertz(440).raised(bySemitones: Double(semitones)) }

    /// The nearest note, and how far from it the frequency is, in cents. `frequency` is 20 Hz or more.
    public static func nearest(to frequency: Hertz) -> (name: String, cents: Double) {
        let number = 69 + 12 * log2(frequency.rawValue / 440)
        let nearest = Int(number.rounded())
        let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        return (names[nearest % 12] + "\(nearest / 12 - 1)", (number - Double(nearest)) * 100)
    }

    private static let steps: [Character: Int] = ["C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2]
}

extension Node {
    /// Writes the frequency of a note in the place of its name. `path` is that of this mapping. Throws `Fault` for another word.
    mutating func readNote(in field: String, at path: String) throws {
        guard let scalar = mapping?[field]?.scalar, let first = scalar.string.first, first.isLetter else { return }
        guard let note = NoteName(scalar.string) else {
            let expected = "a number of hertz, or a note such as A4, C#5 or Bb3"
            throw Fault(field: "\(path).\(field)", expected: expected, found: "\"\(scalar.string.prefix(40))\"")
        }
        put(field, .scalar(.init(Fault.plain(note.frequency.rawValue), .implicit, .any, scalar.mark)))
    }
}
