import Direct
import Settings
import Venue

@testable import Live

extension LiveSettings {
    /// Plays into nothing; all else is as when nothing is said.
    static func silent(venue: Venue = .standard, version: String = "0") -> LiveSettings {
        var values = SettingValues(SettingsTable())
        values.output = .null
        return LiveSettings(values, piece: Direct.self, socket: .path(""), sessions: "", theme: .standard, venue: venue, version: version)
    }
}
