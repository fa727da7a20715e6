import CLinux
import Glibc
import Signals
import Units

// Settings that are read again while it plays.
extension Stage {
    /// Before anybody can connect.
    func open(issues: [String]) {
        settings.issues = issues
        tellUnreadableSounds()
        tendHouse(monotonicNanoseconds())
    }

    /// Takes over the settings that can be changed; `keys` are those that need a restart.
    func change(to new: LiveSettings, waitingForStart keys: [String]) {
        let knobs = settings.take(new, waitingForStart: keys, knobs: conductor.knobs)
        tellUnreadableSounds()
        // The machine's time zone may be another, too.
        tzset()
        house.change(to: new)
        desks.kiosk.screens = new.kioskScreens
        conductor.change(idle: new.idle, knobs: knobs)
        tendHouse(monotonicNanoseconds())
    }

    /// The settings are wrong, until good ones are read.
    func complain(_ issues: [String]) { settings.issues = issues }

    var isSecond: Bool { kept.store?.refusal != nil }

    /// Why the settings in use could not be kept for a start with bad ones; nil where they could.
    func lacksLastGood(because reason: String?) { settings.unkept = reason }

    private func tellUnreadableSounds() {
        for (file, reason) in settings.values.unreadableSounds.sorted(by: { $0.key < $1.key }) {
            logger.error("a pattern's sound cannot be read", metadata: ["file": "\(file)", "reason": "\(reason)"])
        }
    }
}
