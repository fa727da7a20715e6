import Journal
import Offline
import Units

extension PlaybackNotes {
    /// What whoever listens to it should know.
    func warnings(of session: SessionFile) -> [String] {
        var warnings: [String] = []
        if let cutLine { warnings.append("\(session):\(cutLine): warning: the session was cut off here; rendered up to the cut") }
        if let warning = integrity.warning(session) { warnings.append(warning) }
        if let loss {
            warnings.append("\(session): warning: \(loss.entries) entries are missing, the first of them at "
                + "\(loss.from.clock(3)): from there this is not what was heard")
        }
        return warnings + missingFiles.map { "\(session): warning: \($0) cannot be read, and is not heard" }
    }
}
