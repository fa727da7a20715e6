import Journal
import Offline

extension JournalIntegrity {
    /// In a few words; nil where nothing is known to be wrong.
    var damage: String? {
        guard let line else { return nil }
        return if case .beginningMissing(let end) = self {
            "the beginning is missing, all before \(end.clock(3))"
        } else {
            "changed at line \(line) or above it"
        }
    }
}

extension PlaybackNotes {
    /// Whether there is nothing but no end, as of a session that is still running.
    var isOpenOnly: Bool { cutLine != nil && integrity.damage == nil && loss == nil }

    /// What is not as it was recorded, in a few words each.
    var damage: [String] {
        let missing = loss.map { "\($0.entries) entries are missing from \($0.from.clock(3)) on" }
        return [cutLine.map { "cut off at line \($0)" }, integrity.damage, missing].compactMap { $0 }
    }
}
