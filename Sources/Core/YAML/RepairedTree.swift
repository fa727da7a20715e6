import Fields
import Yams

/// A tree without the parts that were found to be wrong, so that it can be read for further faults.
struct RepairedTree {
    private(set) var root: Node
    /// What was left out.
    private var gaps: [[Place.Step]] = []

    init(_ root: Node) { self.root = root }

    /// Whether the fault may only come from what was left out: that field is missing, or one beside it that belongs to it.
    func explains(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        return !place.isThere && gaps.contains { $0.dropLast() == place.steps.dropLast() }
    }

    /// Leaves out the wrong part, or the part that lacks something. False when that is the whole tree.
    mutating func leaveOut(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        var steps = place.steps
        if !place.isThere { steps.removeLast() }
        // Lists keep their length, so that later paths have the right numbers.
        while let last = steps.last, case .index = last { steps.removeLast() }
        guard !steps.isEmpty else { return false }
        root = root.without(steps[...])
        // An unknown field is not missed.
        if !fault.isOfStranger { gaps.append(steps) }
        return true
    }
}
