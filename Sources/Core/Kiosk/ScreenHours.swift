import Wire

/// When screens are on.
public enum ScreenHours {
    /// In the house's opening hours, from `early` minutes before them, and while a visitor is there. `house` is what the daemon told last,
    /// which may be a while ago; nil where it has told nothing yet. `now` is in seconds since 1970-01-01 in UTC.
    public static func areOn(_ house: HouseReport?, hasVisitor: Bool, at now: Int, early: Int) -> Bool {
        guard let house, !house.isOpen, !hasVisitor else { return true }
        return house.opensAt.map { now >= $0 - early * 60 } ?? false
    }
}
