import Conductor
import Fields
import Journal
import PatternWaveforms
import Signals
import Wire

extension Conductor {
    /// `memory` is what was kept of the runs before, and `documents` are those in force. `clock` says what time it is, in seconds since
    /// 1970-01-01 in UTC.
    init(_ settings: LiveSettings, _ waveforms: PatternWaveforms, memory: JSONValue? = nil,
         documents: [PublishedDocument] = [], clock: @escaping () -> Double, _ ports: Ports) {
        let seed = settings.seed
        self.init(settings.piece, theme: settings.theme, rate: settings.rate, idle: settings.idle, knobs: settings.knobs, memory: memory,
                  documents: documents,
                  lowering: { waveforms.lowering(of: $0) }, ports: ports,
                  seed: { seed ?? UInt64.random(in: JournalHeader.seeds) }, clock: clock, utcOffset: SystemTime.utcOffset)
    }

    /// Does once everything that a first touch needs, silently. The runtime and the libraries set up things at first use, which takes
    /// milliseconds: the very first event would miss its frame.
    static func rehearse(_ settings: LiveSettings, _ waveforms: PatternWaveforms, _ methods: MethodTable) {
        // On New Year's Day of 2026: a household's piece does not begin before the clock is set.
        var conductor = Conductor(settings, waveforms, clock: { 1_767_225_600 }, Ports(
            journal: { _ in }, synth: { _ in }, haptic: { _, _ in }, tell: { _ = Notification($0).line(number: 1) }))
        let line = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began","x":0.5,"y":0.5}}"#
        guard case .single(.success(let unread)) = Incoming(Array(line.utf8), methods),
              case .success(let request) = unread.read(), case .event(let kind, _) = request.call else {
            preconditionFailure("the rehearsal's request is a good one")
        }
        // A piece may refuse it.
        guard (try? conductor.handle(Event(client: .connection(1), kind), at: Due(.zero))) == true else { return }
        _ = Reply.line(result: Receipt(frame: conductor.placed(at: .zero).position.rawValue), id: .integer(1))
    }
}
