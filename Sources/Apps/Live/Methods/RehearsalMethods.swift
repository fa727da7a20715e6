import Experience
import Fields
import Wire

/// The methods by which front ends can be shown a piece's announcements.
enum RehearsalMethods {
    static let all: [Method] = [
        .query("rehearsal.list", "What of the piece can be rehearsed, in the order in which it is shown.", result: "rehearsal",
               Example.rehearsal) { $0.desks.rehearsal.list },
        .command("rehearse", .act(by: .operator), refuses: [.notHere, .notNow],
                 "Subscribers are told an announcement as it might be; without a topic, how the piece really is.", read: { fields in
            let topic = try fields.textIfPresent("topic", limit: 64, about: "one of rehearsal.list; left out, the rehearsal is over")
            let name = try fields.textIfPresent("name", limit: 64, about: "which of the topic's")
            guard (topic == nil) == (name == nil) else {
                throw fields.fault("name", topic == nil ? "none without a topic" : "one of the topic's, as rehearsal.list tells",
                                   found: topic == nil ? "one" : "nothing")
            }
            return topic.flatMap { topic in name.map { RehearsalList.Scene(topic: topic, name: $0) } }
        }) { stage, wanted, caller in
            let desk = stage.desks.rehearsal
            caller.answer { () throws(ErrorReply) in
                if let wanted { try desk.show(wanted, on: stage) } else { desk.showTruth(on: stage) }
                return Receipt(frame: nil)
            }
        },
    ]
}
