import Fields
import Journal
import JournalFile
import Offline
import SystemPackage
import Wire

/// The methods for ending sessions, listing recorded ones, and exporting tables of what visitors did.
enum SessionMethods {
    static let all: [Method] = [
        .command("session.end", .act(by: .visitor), refuses: [.notYet], "Ends the session softly.", read: { _ in () }) {
            stage, _, caller in stage.endSession(for: caller)
        },
        .query("session.status", to: .inspect, "The session under way.", result: "session", SessionAnswer(session: Example.session)) {
            SessionAnswer(session: $0.status().session)
        },
        .command("session.list", .inspect, refuses: [.unavailable],
                 "Recorded sessions, the newest first.", result: "sessions", examples: [Example.sessions], read: {
            try $0.integerIfPresent("count", in: 1...256, about: "20 by default") ?? 20
        }) { stage, count, caller in
            let current = stage.recorder.path
            // Who did it is told to operators alone.
            let removed = stage.clients.presence.role(of: caller.client) == .operator ? stage.desks.outbox.removals : nil
            stage.answerSlowly(caller, by: stage.workers.looks) { settings throws(ErrorReply) in
                do {
                    let recorded = try SessionFolder(FilePath(settings.sessions)).sessions().suffix(count).reversed()
                    return SessionList(sessions: recorded.map { SessionList.Session($0, isRunning: $0.path.string == current) },
                                       removed: removed)
                } catch {
                    throw ErrorReply(.refused(.unavailable), "\(settings.sessions): \(error)")
                }
            }
        },
        .command("session.remove", .act(by: .operator), refuses: [.notNow, .unavailable, .busy],
                 "Removes a recorded session, for good.", read: { fields in
            (session: try fields.text("session", about: "the name of a journal without .jsonl"),
             isForced: try fields.flagIfPresent("force", about: "true: also where rows may not have been sent; false by default") ?? false)
        }) { stage, wish, caller in stage.desks.outbox.remove(wish.session, isForced: wish.isForced, caller, on: stage) },
        .command("session.spare", .act(by: .operator), refuses: [.notHere, .notKept, .busy],
                 "Journals from one on are still to be sent elsewhere, and stay while there is room; without one, none is.", read: {
            try $0.textIfPresent("first", about: "the name of a journal without .jsonl")
        }) { stage, first, caller in stage.desks.outbox.spare(from: first, caller, on: stage) },
        .query("journal.path", to: .inspect, "Where journals are.", result: "journal", JournalAnswer(folder: "", journal: nil)) {
            JournalAnswer(folder: $0.settings.values.sessions, journal: $0.status().session?.journal)
        },
        .command("telemetry.export", .act(by: .operator), refuses: [.notHere, .unavailable, .busy],
                 "What sessions have in common, as a table, a part at a time.", result: "part",
                 examples: [Example.telemetry], read: { try TelemetryRequest($0) }) { stage, request, caller in
            stage.desks.outbox.export(request, stage.settings.values, caller)
        },
        .command("telemetry.unsent", .act(by: .operator), refuses: [.notHere, .unavailable, .busy],
                 "The next rows of a table that nobody has marked as sent.", result: "batch",
                 examples: [Example.batch], read: { fields in
            (request: try OutboxRequest(fields),
             format: try fields.choiceIfPresent("format", about: "jsonl by default") ?? TelemetryText.Format.jsonl,
             limit: try fields.integerIfPresent("limit", in: TelemetryExport.limits, unit: "rows", about: "of the batch; 1000 by default"))
        }) { stage, wanted, caller in
            stage.desks.outbox.tellUnsent(wanted.request, as: wanted.format, atMost: wanted.limit ?? 1_000, caller, on: stage)
        },
        .command("telemetry.sent", .act(by: .operator), refuses: [.notHere, .notKept, .busy],
                 "The rows up to a position have been sent; told twice, it counts once.",
                 read: { fields in
            let text = try fields.text("position", limit: 300, about: "of a batch of telemetry.unsent")
            let request = try OutboxRequest(fields)
            guard let position = TelemetryOutbox.Position(text) else {
                throw fields.fault("position", "the position of a batch", found: "\"\(text)\"")
            }
            return (request: request, position: position)
        }) { stage, sent, caller in stage.desks.outbox.markSent(sent.request, upTo: sent.position, caller, on: stage) },
    ]
}

extension SessionList.Session {
    /// Reads the first and the last line of the session's journal. Waits for the disk.
    fileprivate init(_ session: SessionFolder.Session, isRunning: Bool) {
        self.init(journal: session.path.string, bytes: session.bytes, modified: session.modified, isRunning: isRunning)
        guard var scan = try? JournalScan(session.path), let header = try? scan.header(),
              let length = try? SessionLength(of: session.path, rate: header.sampleRate) else { return }
        experience = header.experience
        theme = header.theme.name
        started = header.started
        seconds = header.sampleRate.seconds(in: length.frames).rawValue
        end = length.end?.rawValue
    }
}
