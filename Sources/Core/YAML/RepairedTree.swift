import Fields
import Yams

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
