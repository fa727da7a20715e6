import Fields
import Signals
import Units
import YAML
import Yams

/// The name of a musical note in a file, such as `A4`, `C#5` or `Bb3`. Its pitch is in equal temperament with A4 = 440 Hz (ISO 16).
public struct NoteName {
    /// The number of semitones above A4.
    private let semitones: Int

    /// Reads the name of a note from C-1 to B10. Returns nil for text that is no such name.
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

    /// Returns the nearest note, and by how many cents the frequency is above it. `frequency` is 20 Hz or more.
    public static func nearest(to frequency: Hertz) -> (name: String, cents: Double) {
        let number = 69 + 12 * log2(frequency.rawValue / 440)
        let nearest = Int(number.rounded())
        let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        return (names[nearest % 12] + "\(nearest / 12 - 1)", (number - Double(nearest)) * 100)
    }

    private static let steps: [Character: Int] = ["C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2]
}

extension Node {
    /// Replaces the name of a note in this mapping's field `field` by the note's frequency in hertz. Does nothing where the field is
    /// missing or has a number. `path` is the path of this mapping, for errors. Throws `Fault` for a word that is no note.
    mutating func readNote(in field: String, at path: String) throws {
        guard let scalar = mapping?[field]?.scalar, let first = scalar.string.first, first.isLetter else { return }
        guard let note = NoteName(scalar.string) else {
            let expected = "a number of hertz, or a note such as A4, C#5 or Bb3"
            throw Fault(field: "\(path).\(field)", expected: expected, found: "\"\(scalar.string.prefix(40))\"")
        }
        put(field, .scalar(.init(Fault.plain(note.frequency.rawValue), .implicit, .any, scalar.mark)))
    }
}

/// The values of the fields that a chime's notes leave out. They are from the file's `instrument`, or else from the bell of the standard
/// theme.
struct Instrument {
    private static let fields = ["level", "attack", "decay", "partials"]
    private var given: [(name: String, node: Node)] = []
    /// The values of the bell of the standard theme.
    private static var bell: [(name: String, node: Node)] {
        guard let bell = Theme.standard.chimes["ding"]?.notes.first else { return [] }
        let partials = bell.partials.map { partial in
            Node(fields: [("ratio", number(partial.ratio)), ("level", number(partial.level.rawValue))])
        }
        return [("start", number(bell.start.rawValue)), ("level", number(bell.level.rawValue)), ("attack", number(bell.attack.rawValue)),
                ("decay", number(bell.decay.rawValue)), ("partials", Node(partials))]
    }

    init() {}

    /// Reads the `instrument` of a theme's file, whose value is `node`. Throws `Fault`.
    init(_ node: Node) throws {
        guard let mapping = node.mapping else { throw Fault(field: "instrument", expected: "a mapping", found: kind(of: node)) }
        given = try mapping.map { key, value in
            let name = key.string ?? ""
            guard Self.fields.contains(name) else {
                throw Fault.stranger("instrument.\(name)", named: name, beside: Self.fields)
            }
            return (name, value)
        }
        // The instrument is checked by itself, so that its faults are not reported for every note.
        let notes = try playing(Node([Node(fields: [("frequency", number(440))])]), at: "instrument")
        do {
            _ = try notes.decoded(as: [ChimeNote].self)
        } catch var fault as Fault {
            fault.field = "instrument" + fault.field.drop { $0 != "]" }.dropFirst()
            throw fault
        }
    }

    /// Returns a copy of `chime`, a list of notes, with the fields filled in that its notes leave out. `field` is the path of the list, for
    /// errors. Throws `Fault`.
    func playing(_ chime: Node, at field: String) throws -> Node {
        guard chime.sequence != nil else {
            throw Fault(field: field, expected: "a list of notes, or none", found: kind(of: chime))
        }
        var index = 0
        let bell = Self.bell
        let filled = try chime.mapped { note in
            try note.readNote(in: "frequency", at: "\(field)[\(index)]")
            if var glide = note.mapping?["glide"] {
                try glide.readNote(in: "to", at: "\(field)[\(index)].glide")
                note.put("glide", glide)
            }
            index += 1
            for (name, node) in given { note.fill(name, node) }
            for (name, node) in bell { note.fill(name, node) }
            note.put("partials", note.mapping?["partials"]?.mapped { $0.fill("level", number(0)) })
        }
        return filled
    }
}
