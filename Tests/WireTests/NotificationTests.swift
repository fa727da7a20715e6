import Experience
import Signals
import Testing
import Units
import Wire

private struct Seen: AnnouncementBody {
    var topic: String { "seen" }
    var name: String
    var index: Int?
}

@Suite struct NotificationTests {
    private func text(_ body: any AnnouncementBody) -> String {
        String(decoding: Notification(Announcement(body)).line(number: 7), as: UTF8.self)
    }

    @Test func `an announcement is a notification of its topic, with a number and its body's fields`() {
        #expect(text(Seen(name: "Lava", index: 61)) == """
            {"jsonrpc":"2.0","method":"seen","params":{"number":7,"index":61,"name":"Lava"}}

            """)
        #expect(text(SessionAnnouncement(.began)) == """
            {"jsonrpc":"2.0","method":"session","params":{"number":7,"phase":"began"}}

            """)
        #expect(text(SessionAnnouncement(.leaving(endsIn: Seconds(9.5)))) == """
            {"jsonrpc":"2.0","method":"session","params":{"number":7,"endsIn":9.5,"phase":"leaving"}}

            """)
        #expect(text(SessionAnnouncement(.ended, record: Announcement(Seen(name: "Lava")))) == """
            {"jsonrpc":"2.0","method":"session","params":{"number":7,"phase":"ended","record":{"name":"Lava"}}}

            """)
    }

    @Test func `one of a rehearsal says so before its body's fields`() {
        let notification = Notification(rehearsing: Announcement(Seen(name: "Lava", index: 61)))
        #expect(String(decoding: notification.line(number: 7), as: UTF8.self) == """
            {"jsonrpc":"2.0","method":"seen","params":{"number":7,"rehearsal":true,"index":61,"name":"Lava"}}

            """)
    }

    @Test func `topics are the server's own and those that pieces declare, and all but those that come many times a second are usual`() {
        let piece = Declaration(name: "park", rulesVersion: 1, about: "",
                                topics: [TopicDeclaration("seen", about: "Something is seen.", examples: [Seen(name: "")])])
        let table = TopicTable([piece])
        #expect(table.names == ["session", "seen", "event", "cue", "device", "fault", "state", "touch.owner", "touches", "explore.mode", "explore.at",
                                "explore.activate", "config.outlook", "meters"])
        #expect(table.usual == Set(table.names.map { Topic($0) }).subtracting([.meters, .touches, .outlook]))
    }

    @Test func `what was missed is told as a number`() {
        #expect(String(decoding: Notification.missed(12).line(number: 3), as: UTF8.self)
            == "{\"jsonrpc\":\"2.0\",\"method\":\"missed\",\"params\":{\"number\":3,\"count\":12}}\n")
    }
}
