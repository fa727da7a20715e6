import Journal
import JournalFile
import Signals
import SystemPackage
import Units

extension EventKind {
    /// A piece was woken, which may have told something.
    fileprivate var tellsTime: Bool { if case .tick = self { true } else { false } }
}

extension SessionCut {
    /// What is kept of the idle time: chimes ring on.
    public static let rest = Seconds(15)

    /// All of a session but the idle time at its end, in which nobody did anything and nothing happened: 15 s of it stay. The whole session
    /// where there is hardly more of it, or no end. Throws `JournalFault` and `Errno`.
    public static func untilIdle(_ journal: FilePath) throws -> SessionCut {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        var last = Frame.zero
        while let entry = try scan.next() {
            switch entry {
            case .header(let header): rate = header.sampleRate
            case .event(let event, let frame, _, let cues):
                // The engine's own, with which the idle time ends.
                if event.kind != .stop, event.client != .engine || cues?.isEmpty == false || event.kind.tellsTime { last = frame }
            case .checkpoint: break
            case .discontinuity(_, let frame): last = max(last, frame)
            case .end(_, let frame):
                let idle = rate.seconds(in: frame - last)
                guard idle.rawValue > Self.rest.rawValue * 1.2 else { return .whole }
                return .between(nil, .time(Seconds(rate.seconds(in: last - .zero).rawValue + Self.rest.rawValue)))
            }
        }
        return .whole
    }
}
