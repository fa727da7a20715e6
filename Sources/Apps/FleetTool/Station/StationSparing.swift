/// Has the `thrumd` beside a station spare the journals that are still to be sent, so that it removes them for nothing but room.
struct StationSparing {
    private static let betweenLooks = Duration.seconds(10), betweenTellings = Duration.seconds(60)

    private let link: DaemonLink?
    private var nextLook = Duration.zero
    /// The journal that `thrumd` was told last, and when.
    private var last: (first: String, at: Duration)?
    /// The refusal that was printed last; it is printed once.
    private var said: String?

    /// `link` leads to the `thrumd` that is told; nil where none is told.
    init(_ link: DaemonLink?) { self.link = link }

    /// Tells `thrumd` the first journal that is still to be sent, every ten seconds where that has changed, and otherwise once a minute.
    /// Waits for `thrumd` for up to `DaemonLink.timeout`. A `thrumd` that does not answer removes nothing, and is told later. `first` is
    /// nil in a folder without journals, and throws where the folder cannot be read; then nothing is told.
    mutating func tell(_ first: @autoclosure () throws -> String?, at now: Duration) {
        guard let link, now >= nextLook else { return }
        nextLook = now + Self.betweenLooks
        guard let name = try? first() else { return }
        if let last, last.first == name, now - last.at < Self.betweenTellings { return }
        do throws(DaemonLink.Problem) {
            try link.spare(from: name)
            last = (name, now)
            said = nil
        } catch {
            guard error.isRefusal, said != error.description else { return }
            said = error.description
            say("thrumd may remove journals that are not sent, because it \(error.description)")
        }
    }
}
