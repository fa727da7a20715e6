import Fields
import Signals
import YAML
import Yams

/// What notes have that do not say otherwise themselves: a file's `instrument`, and for the rest the bell of the standard theme.
struct Instrument {
    private static let fields = ["level", "attack", "decay", "partials"]
    private var given: [(name: String, node: Node)] = []
    /// Of the bell of the standard theme.
    private static var bell: [(name: String, node: Node)] {
        guard let bell = Theme.standard.chimes["ding"]?.notes.first else { return [] }
        let partials = bell.partials.map { partial in
            Node(fields: [("ratio", number(partial.ratio)), ("level", number(partial.level.rawValue))])
        }
        return [("start", number(bell.start.rawValue)), ("level", number(bell.level.rawValue)), ("attack", number(bell.attack.rawValue)),
                ("decay", number(bell.decay.rawValue)), ("partials", Node(partials))]
    }

    init() {}

    /// Throws `Fault`.
    init(_ node: Node) throws {
        guard let mapping = node.mapping else { throw Fault(field: "instrument", expected: "a mapping", found: kind(of: node)) }
        given = try mapping.map { key, value in
            let name = key.string ?? ""
            guard Self.fields.contains(name) else {
                throw Fault.stranger("instrument.\(name)", named: name, beside: Self.fields)
            }
            return (name, value)
        }
        // What is wrong with it is told of itself, not of every note on it.
        let notes = try playing(Node([Node(fields: [("frequency", number(440))])]), at: "instrument")
        do {
            _ = try notes.decoded(as: [ChimeNote].self)
        } catch var fault as Fault {
            fault.field = "instrument" + fault.field.drop { $0 != "]" }.dropFirst()
            throw fault
        }
    }

    /// The notes of a chime, each with all its fields. Throws `Fault`.
    func playing(_ chime: Node, at field: String) throws -> Node {
        guard chime.sequence != nil else {
            throw Fault(field: field, expected: "a list of notes, or none", found: kind(of: chime))
        }
        var place = 0
        let bell = Self.bell
        let filled = try chime.mapped { note in
            try note.readNote(in: "frequency", at: "\(field)[\(place)]")
            if var glide = note.mapping?["glide"] {
                try glide.readNote(in: "to", at: "\(field)[\(place)].glide")
                note.put("glide", glide)
            }
            place += 1
            for (name, node) in given { note.fill(name, node) }
            for (name, node) in bell { note.fill(name, node) }
            note.put("partials", note.mapping?["partials"]?.mapped { $0.fill("level", number(0)) })
        }
        return filled
    }
}
