import CLinux
import Conductor
import Fields
import Journal
import NIOCore
import PatternWaveforms
import Signals
import Units
import Wire

// Wakes the piece when it has asked for that, and stores what it wants stored.
extension Stage {
    /// Stores the memories and ledger entries that the conductor wants stored, and schedules its next wake. Must be called whenever the
    /// conductor may have acted.
    func followConductor() {
        keepWhatLasts()
        desks.explore.followVisit(on: self)
        desks.speech.followVisit(on: self)
        // Sound that a piece plays by itself must be timed as exactly as a visitor's.
        outputs.port.tell(isInUse: conductor.visit != nil || conductor.nextWake != nil)
        guard conductor.nextWake != timers.wake?.frame else { return }
        timers.wake?.timer.cancel()
        timers.wake = nil
        if let frame = conductor.nextWake { schedule(frame) }
    }

    private func keepWhatLasts() {
        let name = conductor.piece.declaration.name
        for keeping in outputs.takeKeepings() {
            guard let ticket = keeping.ticket else {
                kept.keep(keeping, of: name)
                continue
            }
            clients.receipts.awaitCommit(of: ticket)
            kept.keep(keeping, of: name) { [loop] result in
                loop.execute { self.assumeIsolated { $0.clients.receipts.committed(ticket, $0.timing.rate, result) } }
            }
        }
    }

    /// The time after which to try again while the render thread has not reported yet, or stands still; in nanoseconds.
    private static let retryDelay: Int64 = 10_000_000

    private func schedule(_ frame: Frame, notBefore moment: Int64 = 0) {
        let moment = max(moment, timing.moment(forTickAt: frame, outputs.reports.read()) ?? monotonicNanoseconds() + Self.retryDelay)
        let timer = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, moment)))) {
            self.assumeIsolated { $0.wakePiece(at: frame) }
        }
        timers.wake = (frame, timer)
    }

    private func wakePiece(at frame: Frame) {
        timers.wake = nil
        guard !isClosing else { return }
        let now = monotonicNanoseconds()
        guard outputs.port.isOpen, let moment = timing.moment(forTickAt: frame, outputs.reports.read()) else {
            return schedule(frame, notBefore: now + Self.retryDelay)
        }
        // The output's clock has turned out slower meanwhile, so it is too early.
        guard moment <= now + 1_000_000 else { return schedule(frame) }
        conductor.wake(at: frame)
        followConductor()
    }
}

extension Conductor {
    /// Makes the conductor of a daemon. `memory` is the memory that was stored in earlier runs, and `documents` are the documents in force.
    /// `clock` returns the time in seconds since 1970-01-01 in UTC.
    init(_ settings: LiveSettings, _ waveforms: PatternWaveforms, memory: JSONValue? = nil,
         documents: [PublishedDocument] = [], clock: @escaping () -> Double, _ ports: Ports) {
        let seed = settings.seed
        self.init(settings.piece, theme: settings.theme, rate: settings.rate, idle: settings.idle, knobs: settings.knobs,
                  model: settings.prediction.model, memory: memory, documents: documents,
                  lowering: { waveforms.lowering(of: $0) }, ports: ports,
                  seed: { seed ?? UInt64.random(in: JournalHeader.seeds) }, clock: clock, utcOffset: SystemTime.utcOffset)
    }

    /// Does everything once that a first touch needs, silently. The runtime and the libraries set things up at their first use, which takes
    /// milliseconds, so without this the first event would miss its frame.
    static func rehearse(_ settings: LiveSettings, _ waveforms: PatternWaveforms, _ methods: MethodTable) {
        // The clock shows New Year's Day of 2026, because a household's piece does not begin before the clock is set.
        var conductor = Conductor(settings, waveforms, clock: { 1_767_225_600 }, Ports(
            journal: { _ in }, synth: { _ in }, haptic: { _, _ in }, tell: { _ = Notification($0).line(number: 1) }))
        let line = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began","x":0.5,"y":0.5}}"#
        guard case .single(.success(let unread)) = Incoming(Array(line.utf8), methods),
              case .success(let request) = unread.read(), case .event(let kind, _) = request.call else {
            preconditionFailure("the rehearsal's request is a good one")
        }
        // The piece may refuse the touch.
        guard (try? conductor.handle(Event(client: .connection(1), kind), at: Due(.zero))) == true else { return }
        _ = Reply.line(result: Receipt(frame: conductor.placed(at: .zero).position.rawValue), id: .integer(1))
    }
}
