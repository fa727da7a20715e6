import Journal
import Units
import Wire

/// The newest issues and discontinuities, with when they began and ended, so that somebody who comes later can look at what was before
/// them. A plain value: the caller gives the time, in seconds since 1970-01-01 in UTC.
struct FaultHistory {
    /// The largest number of records.
    static let room = 100
    /// The time within which events that were heard late are one record, in seconds.
    private static let lateness = 5.0

    /// The records, the oldest first.
    private(set) var records: [FaultRecord] = []
    private var number = 0

    /// Records the issues that are present at `time`, and the end of those that are not present any more. An issue whose words differ from
    /// before only in figures is still the same one, and gets the new words.
    mutating func note(issues: [String], at time: Double) {
        var fresh = issues
        let open = records.indices.filter { records[$0].kind == .issue && records[$0].ended == nil }
        // Of two issues whose words differ only in their figures, the one that has not changed goes on.
        let changed = open.filter { index in
            guard let same = fresh.firstIndex(of: records[index].issue ?? "") else { return true }
            fresh.remove(at: same)
            return false
        }
        for index in changed {
            let words = records[index].issue.map(Self.withoutFigures)
            if let same = fresh.firstIndex(where: { Self.withoutFigures($0) == words }) {
                records[index].issue = fresh.remove(at: same)
            } else {
                records[index].ended = time
            }
        }
        for issue in fresh { add(.issue, at: time) { $0.issue = issue } }
    }

    /// Records a discontinuity that was noticed at `time`. `frame` is its frame in the session. A gap is recorded when it begins, and again
    /// when its length is known.
    mutating func note(_ discontinuity: Discontinuity, at frame: Frame, _ time: Double) {
        switch discontinuity {
        case .gap(let frames):
            let open = records.lastIndex { $0.kind == .gap && $0.frame == frame.rawValue && $0.ended == nil }
            if let open {
                if frames != nil { records[open].ended = time }
            } else {
                add(.gap, at: time) { record in
                    record.frame = frame.rawValue
                    if frames != nil { record.ended = time }
                }
            }
        case .late:
            if let last = records.lastIndex(where: { $0.kind == .late }), let ended = records[last].ended, time - ended < Self.lateness {
                records[last].ended = time
            } else {
                add(.late, at: time) { ($0.frame, $0.ended) = (frame.rawValue, time) }
            }
        case .lost: add(.lost, at: time) { ($0.frame, $0.ended) = (frame.rawValue, time) }
        }
    }

    private mutating func add(_ kind: FaultRecord.Kind, at time: Double, _ fill: (inout FaultRecord) -> Void) {
        number += 1
        var record = FaultRecord(number: number, kind: kind, began: time)
        fill(&record)
        // What goes on stays, so that it does not begin anew.
        if records.count == Self.room { records.remove(at: records.firstIndex { $0.ended != nil } ?? 0) }
        records.append(record)
    }

    private static func withoutFigures(_ words: String) -> String { words.filter { !$0.isNumber } }
}
