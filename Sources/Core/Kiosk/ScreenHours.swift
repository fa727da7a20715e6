import Wire

/// When screens are on.
public enum ScreenHours {
    /// In the house's opening hours, from `early` minutes before them, and while a visitor is there. `house` is what the daemon told last,
    /// `age` seconds ago; nil where it has told nothing yet. No clock of the kiosk's is asked for the time of day: the house's
    /// may be another.
    public static func areOn(_ house: HouseReport?, hasVisitor: Bool, age: Int, early: Int) -> Bool {
        guard let house, !house.isOpen, !hasVisitor else { return true }
        return house.opensIn.map { age >= $0 - early * 60 } ?? false
    }
}
