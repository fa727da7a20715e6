import Fields
import Yams

/// A tree without what was found to be wrong, so that it can be read for what else is wrong.
struct RepairedTree {
    private(set) var root: Node
    /// What was left out.
    private var gaps: [[Place.Step]] = []

    init(_ root: Node) { self.root = root }

    /// Whether this may be wrong only for what was left out: that itself is missed, or something beside it that goes with it.
    func explains(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        return !place.isThere && gaps.contains { $0.dropLast() == place.steps.dropLast() }
    }

    /// Leaves out what is wrong, or that which lacks something. False when that is all there is.
    mutating func leaveOut(_ fault: Fault) -> Bool {
        let place = root.place(of: fault.field)
        var steps = place.steps
        if !place.isThere { steps.removeLast() }
        // Lists keep their length, so that later paths have the right numbers.
        while let last = steps.last, case .index = last { steps.removeLast() }
        guard !steps.isEmpty else { return false }
        root = root.without(steps[...])
        // What nobody reads is not missed.
        if fault.found != Fault.stranger { gaps.append(steps) }
        return true
    }
}
