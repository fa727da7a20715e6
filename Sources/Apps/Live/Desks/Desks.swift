/// The desks at which clients ask, one for each subject. Each desk keeps its state to itself; what comes of its work later comes back to
/// the event loop by `Later`. Thread: the event loop, as part of the stage.
struct Desks {
    let front: FrontDesk
    let queries = QueryDesk()
    let touches = TouchDesk()
    let rates: RateDesk
    let kiosk: KioskDesk
    let tokens: TokenDesk
    let documents: DocumentDesk
    let households: HouseholdDesk
    let ledger: LedgerDesk
    let outbox: OutboxDesk
    let rehearsal: RehearsalDesk
    let themes: ThemeDesk
    let reports: ReportDesk
    let secrets: SecretDesk
    let keyed: KeyedDesk
    let purchases: PurchaseDesk

    /// Forgets a client that is gone.
    func forget(_ client: Int) {
        front.forget(client)
        touches.forget(client)
        rates.forget(client)
        outbox.forget(client)
        secrets.forget(client)
    }
}
