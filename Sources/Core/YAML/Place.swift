import Yams

/// The way from the root of a tree to something in it.
struct Place {
    enum Step: Equatable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []
    /// Of the last step that is in the file; nil where none is.
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

    /// The same without the key at the end of `steps`.
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

    /// How many values there are in it, itself among them.
    var count: Int {
        switch self {
        case .scalar, .alias: 1
        case .sequence(let sequence): sequence.reduce(1) { $0 + $1.count }
        case .mapping(let mapping): mapping.reduce(1) { $0 + $1.value.count }
        }
    }
}
