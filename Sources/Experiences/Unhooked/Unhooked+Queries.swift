import Experience
import Fields
import Units

extension Unhooked {
    public enum Query: QueryBody { case state, shop, wardrobe, memorial, wall, additions, ledger, history }

    public func answer(_ query: Query, at time: Now) throws(Fault) -> any Encodable & Sendable {
        switch query {
        case .state: state(at: moment(at: time))
        case .shop: Shop(home, configuration)
        case .wardrobe: Wardrobe(home, configuration)
        case .memorial: MemorialList(home, configuration, self.time)
        case .wall: Wall(hung)
        case .additions: AdditionsList(home, configuration)
        case .ledger: Statement(home.books)
        case .history: PetHistory(home, self.time)
        }
    }

    public func counters(at time: Now) -> [Counter] {
        [
            Counter("energy", Double(home.books.wallet(.energy)), unit: "Energy", confidence: .money),
            Counter("gems", Double(home.books.wallet(.gems)), unit: "Gems", confidence: .money),
            Counter("unfed-days", Double(home.pet.unfedDays), unit: "days"), Counter("fullness", Double(home.pet.fullness)),
            Counter("mood", Double(home.pet.mood)), Counter("movements", Double(home.books.count), confidence: .money),
        ]
    }
}
