import Signals

/// What a subscriber is told without having asked, as the bytes of its line: a call without an id, which wants no answer.
public enum Notification {
    /// Its method is the announcement's topic.
    public static func line(_ announcement: Announcement) -> [UInt8] {
        Reply.line(Message(method: announcement.topic.rawValue, params: announcement))
    }

    /// So many announcements were left out since the last one, because the subscriber did not read.
    public static func line(missed count: UInt64) -> [UInt8] {
        Reply.line(Message(method: "missed", params: ["count": count]))
    }

    private struct Message<Parameters: Encodable>: Encodable {
        let jsonrpc = "2.0"
        var method: String
        var params: Parameters

        enum CodingKeys: CodingKey { case jsonrpc, method, params }
    }
}
