import Fields
import Yams

/// The keys and indices that lead from the root of a tree to a value.
struct NodePath {
    enum Step: Equatable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []
    /// The line, counted from 1, of the last step that exists in the file; nil where no step does.
    var line: Int?
    /// Whether the value exists; false where the last step is a key that is missing in its mapping.
    var isThere = true
}

extension Node {
    /// Follows a path such as `chimes.ding[0].level` from the root. Where a key is missing, the result ends with that key.
    func path(to field: String) -> NodePath {
        var path = NodePath()
        var node = self
        var rest = field[...]
        while !rest.isEmpty {
            if rest.first == ".", node.mapping != nil { rest = rest.dropFirst() }
            if let mapping = node.mapping {
                // Keys may contain dots, so the longest key that fits is taken.
                let fitting = mapping.filter { pair in
                    guard let key = pair.key.string, rest.hasPrefix(key) else { return false }
                    return rest.dropFirst(key.count).first.map { ".[: ".contains($0) } ?? true
                }
                guard let (key, value) = fitting.max(by: { ($0.key.string ?? "").count < ($1.key.string ?? "").count }) else {
                    path.steps.append(.key(String(rest)))
                    path.isThere = false
                    break
                }
                let name = key.string ?? ""
                rest = rest.dropFirst(name.count)
                path.steps.append(.key(name))
                path.line = key.mark?.line ?? path.line
                node = value
            } else if let sequence = node.sequence, let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end].dropFirst()),
                      sequence.indices.contains(index) {
                node = sequence[index]
                rest = rest[rest.index(after: end)...]
                path.steps.append(.index(index))
                path.line = node.mark?.line ?? path.line
            } else {
                break
            }
        }
        return path
    }

    /// Returns the tree without the value to which `steps` lead.
    func without(_ steps: ArraySlice<NodePath.Step>) -> Node {
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

    /// The number of values in the tree, including its root.
    var count: Int {
        switch self {
        case .scalar, .alias: 1
        case .sequence(let sequence): sequence.reduce(1) { $0 + $1.count }
        case .mapping(let mapping): mapping.reduce(1) { $0 + $1.value.count }
        }
    }
}

/// A tree from which faulty parts have been removed, so that reading it again finds further faults.
struct RepairedTree {
    private(set) var root: Node
    /// The removed parts. `field` is nil where more than the faulty field was removed.
    private var gaps: [(steps: [NodePath.Step], field: String?)] = []
    /// The fields that were faulty or missing.
    let removedFields = RemovedFields()

    init(_ root: Node) { self.root = root }

    /// Returns whether the fault may be just a consequence of an earlier removal: of the field itself, of a field beside it, or of a part
    /// of it. The removal of a field explains nothing if the field's reader went on with another value in its place.
    func explains(_ fault: Fault) -> Bool {
        let path = root.path(to: fault.field)
        guard !path.isThere else { return gaps.contains { $0.steps.dropLast() == path.steps[...] } }
        return removedFields.fields.contains(fault.field) || gaps.contains { gap in
            gap.steps.dropLast() == path.steps.dropLast() && gap.field.map { !removedFields.taken.contains($0) } ?? true
        }
    }

    /// Removes the faulty part. A missing field is at first only noted, so that its reader goes on with another value. If its fault comes
    /// again, the part that lacks the field is removed. Returns false when that part is the whole tree.
    mutating func leaveOut(_ fault: Fault) -> Bool {
        let path = root.path(to: fault.field)
        var steps = path.steps
        let isNew = removedFields.insert(fault.field)
        if !path.isThere {
            if isNew { return true }
            steps.removeLast()
        }
        // Elements of lists are not removed, only whole lists, so that the indices in later paths stay right.
        while let last = steps.last, case .index = last { steps.removeLast() }
        guard !steps.isEmpty else { return false }
        root = root.without(steps[...])
        // Nobody will miss an unknown field.
        if !fault.isOfStranger { gaps.append((steps, steps.count == path.steps.count ? fault.field : nil)) }
        return true
    }
}
