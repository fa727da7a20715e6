import Dispatch

/// Signals of the system to this process, none of which ends it any more.
struct SignalTrap {
    private let sources: [any DispatchSourceSignal]

    /// Returns when the signals are trapped. Each that comes from then on is told to `act`, on a thread that nobody blocks.
    init(_ signals: [Int32], _ act: @escaping @Sendable () -> Void) async {
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for source in sources {
            source.setEventHandler(handler: act)
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }
}
