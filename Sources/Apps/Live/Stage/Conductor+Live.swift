import Conductor
import Fields
import Journal
import PatternWaveforms
import Signals
import Wire

extension Conductor {
    /// `memory` is what was kept of the runs before.
    init(_ settings: LiveSettings, _ waveforms: PatternWaveforms, memory: JSONValue? = nil, _ ports: Ports) {
        let seed = settings.seed
        self.init(settings.piece, theme: settings.theme, rate: settings.rate, idle: settings.idle, knobs: settings.knobs, memory: memory,
                  lowering: { waveforms.lowering(of: $0) }, ports: ports,
                  seed: { seed ?? UInt64.random(in: JournalHeader.seeds) }, clock: { .now }, utcOffset: SystemTime.utcOffset)
    }

    /// Does once everything that a first touch needs, silently. The runtime and the libraries set up things at first use, which takes
    /// milliseconds: the very first event would miss its frame.
    static func rehearse(_ settings: LiveSettings, _ waveforms: PatternWaveforms, _ methods: MethodTable<StageCommand>) {
        var conductor = Conductor(settings, waveforms, Ports(
            journal: { _ in }, synth: { _ in }, haptic: { _, _ in }, tell: { _ = Notification($0).line(number: 1) }))
        let line = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began","x":0.5,"y":0.5}}"#
        guard case .single(.success(let unread)) = Incoming(Array(line.utf8), methods),
              case .success(let request) = unread.read(), case .event(let kind, _) = request.call,
              (try? conductor.handle(Event(client: .connection(1), kind), at: Due(.zero))) == true else {
            preconditionFailure("the rehearsal's request is a good one")
        }
        _ = Reply.line(result: Receipt(frame: conductor.placed(at: .zero).position.rawValue), id: .integer(1))
    }
}
