import Files

/// Threads that may wait for the disk or the sound server, or take long; some for each class of work, so that none waits for another's.
/// Each client has a share of each.
struct WorkClasses: Sendable {
    /// What pages and other onlookers ask.
    let looks = Workers(threads: 2, room: 32, share: 8)
    /// Operators' questions, which may go through all journals, and their documents and themes.
    let operators = Workers(threads: 2, room: 32, share: 16)
    /// Secrets of households, which take long to compare on purpose.
    let secrets = Workers(threads: 1, room: 64, share: 2)
    /// Secrets that operators give or say: what visitors say leaves them their room.
    let operatorsSecrets = Workers(threads: 1, room: 16, share: 16)
    /// Purchases.
    let money = Workers(threads: 2, room: 64, share: 8)
    /// Purchases that operators bring: what visitors send leaves them their room.
    let operatorsMoney = Workers(threads: 1, room: 16, share: 16)
}
