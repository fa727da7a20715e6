import Fields
import Yams

/// The way from the root of a tree to something in it.
struct Place {
    enum Step: Equatable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []
    /// The line of the last step that is in the file, from 1; nil where no step is.
    var line: Int?
    /// False where the last step is a key that is not in its mapping.
    var isThere = true
}

extension Node {
    /// The place of a path such as `chimes.ding[0].level`, or as much of the way there as there is and the first key that is missing.
    func place(of field: String) -> Place {
        var place = Place()
        var node = self
        var rest = field[...]
        while !rest.isEmpty {
            if rest.first == ".", node.mapping != nil { rest = rest.dropFirst() }
            if let mapping = node.mapping {
                // Names may have dots in them: the longest that fits.
                let fitting = mapping.filter { pair in
                    guard let key = pair.key.string, rest.hasPrefix(key) else { return false }
                    return rest.dropFirst(key.count).first.map { ".[: ".contains($0) } ?? true
                }
                guard let (key, value) = fitting.max(by: { ($0.key.string ?? "").count < ($1.key.string ?? "").count }) else {
                    place.steps.append(.key(String(rest)))
                    place.isThere = false
                    break
                }
                let name = key.string ?? ""
                rest = rest.dropFirst(name.count)
                place.steps.append(.key(name))
                place.line = key.mark?.line ?? place.line
                node = value
            } else if let sequence = node.sequence, let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end].dropFirst()),
                      sequence.indices.contains(index) {
                node = sequence[index]
                rest = rest[rest.index(after: end)...]
                place.steps.append(.index(index))
                place.line = node.mark?.line ?? place.line
            } else {
                break
            }
        }
        return place
    }

    /// Returns the tree without the key at the end of `steps`.
    func without(_ steps: ArraySlice<Place.Step>) -> Node {
        guard let step = steps.first else { return self }
        let rest = steps.dropFirst()
        switch (self, step) {
        case (.mapping(var mapping), .key(let key)):
            mapping[key] = rest.isEmpty ? nil : mapping[key]?.without(rest)
            return .mapping(mapping)
        case (.sequence(var sequence), .index(let index)):
            sequence[index] = sequence[index].without(rest)
            return .sequence(sequence)
        default:
            return self
        }
    }

    /// The number of values in the tree, its root among them.
    var count: Int {
        switch self {
        case .scalar, .alias: 1
        case .sequence(let sequence): sequence.reduce(1) { $0 + $1.count }
        case .mapping(let mapping): mapping.reduce(1) { $0 + $1.value.count }
        }
    }
}

/// A tree without the parts that were found to be wrong, so that it can be read for further faults.
struct RepairedTree {
    private(set) var root: Node
    /// What was left out of what the file has. The field is nil where more than that field was.
    private var gaps: [(steps: [Place.Step], field: String?)] = []
    /// The fields that were wrong or missing.
    let standIns = StandIns()

    init(_ root: Node) { self.root = root }

    /// Returns whether the fault may only come from what was left out: that field is missing, or one beside it that belongs to it, or the
    /// part that it was in has too little in it. Nothing is missing because of a field for which its reader has had another value.
    func explains(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        guard !place.isThere else { return gaps.contains { $0.steps.dropLast() == place.steps[...] } }
        return standIns.fields.contains(fault.field) || gaps.contains { gap in
            gap.steps.dropLast() == place.steps.dropLast() && gap.field.map { !standIns.taken.contains($0) } ?? true
        }
    }

    /// Leaves out the wrong part. Where one is missing its reader is given another value, or the part that lacks it is left out. False when
    /// that is the whole tree.
    mutating func leaveOut(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        var steps = place.steps
        let isNew = standIns.insert(fault.field)
        if !place.isThere {
            if isNew { return true }
            steps.removeLast()
        }
        // Lists keep their length, so that later paths have the right numbers.
        while let last = steps.last, case .index = last { steps.removeLast() }
        guard !steps.isEmpty else { return false }
        root = root.without(steps[...])
        // An unknown field is not missed.
        if !fault.isOfStranger { gaps.append((steps, steps.count == place.steps.count ? fault.field : nil)) }
        return true
    }
}
