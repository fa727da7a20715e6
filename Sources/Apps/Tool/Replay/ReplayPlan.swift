import Journal
import JournalFile
import Offline
import Signals
import SystemPackage
import Units

/// What a replay needs to know of a journal beforehand.
struct ReplayPlan: Sendable {
    let path: FilePath
    let header: JournalHeader
    /// Of each client's last event, counted from 1: nothing comes from it any more.
    private(set) var lastLines: [Client: Int] = [:]
    /// At which everything is let down. A session that ended because nobody was there any more is not waited out.
    private(set) var end = Frame.zero
    /// Whether its events' effects depend on the seed.
    private(set) var needsSeed: Bool
    /// The line at which the session was cut off; nil if it ended as it should.
    private(set) var cutLine: Int?
    /// What the sums of all lines say.
    private(set) var integrity = JournalIntegrity.unknown

    /// Goes through the whole journal. Throws `JournalFault` and `Errno`.
    init(_ path: FilePath) throws {
        var scan = try JournalScan(path)
        let header = try scan.header()
        self.path = path
        self.header = header
        needsSeed = header.experience != "direct"
        var (isStopped, last) = (false, Frame.zero)
        while let entry = try scan.next() {
            switch entry {
            case .event(let event, let frame, _, let cues):
                end = frame
                if case .action = event.kind { needsSeed = true }
                isStopped = event.client == .engine && event.kind == .stop
                if event.client != .engine { lastLines[event.client] = scan.line }
                if event.client != .engine || (cues?.isEmpty == false && event.kind != .stop) { last = frame }
            case .end(.idle, let frame): end = min(frame, last + header.sampleRate.frames(in: SessionCut.rest))
            // The engine stops everything, and writes the end when it is silent.
            case .end(_, let frame): end = isStopped ? end : frame
            case .discontinuity(.lost, let frame): end = frame
            case .header, .discontinuity, .checkpoint: break
            }
        }
        if case .cut(let line) = scan.ending { cutLine = line }
        integrity = scan.integrity
    }
}
