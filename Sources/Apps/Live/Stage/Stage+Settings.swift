import CLinux
import Glibc
import Signals
import Units

// Settings that are read again while it plays.
extension Stage {
    /// Before anybody can connect.
    func open(issue: String?) {
        settingsIssue = issue
        tellUnreadableSounds()
        tendHouse(monotonicNanoseconds())
    }

    /// Takes over what can be changed; the rest, `keys`, is as it was until the next start.
    func change(to new: LiveSettings, waitingForStart keys: [String]) {
        settingsIssue = nil
        waitingForStart = keys
        settings.unreadableSounds = new.unreadableSounds
        tellUnreadableSounds()
        // The machine's time zone may be another, too.
        tzset()
        house.change(to: new)
        // Knobs that somebody has turned stay as they are while the settings say what they said.
        conductor.change(idle: new.idle, tuning: new.tuning == settings.tuning ? conductor.tuning : new.tuning)
        settings.tuning = new.tuning
        settings.maxHold = new.maxHold
        tendHouse(monotonicNanoseconds())
    }

    /// Something is wrong with the settings, until good ones are read.
    func complain(_ issue: String) { settingsIssue = issue }

    private func tellUnreadableSounds() {
        for (file, reason) in settings.unreadableSounds.sorted(by: { $0.key < $1.key }) {
            logger.error("a pattern's sound cannot be read", metadata: ["file": "\(file)", "reason": "\(reason)"])
        }
    }
}
