import Glibc

/// Writes instants as text. An instant is in seconds since 1970-01-01 in UTC.
enum InstantText {
    /// Writes `instant` in this machine's time zone; `form` is a format as strftime(3) takes it.
    static func local(_ instant: Int, _ form: String) -> String {
        var (seconds, time) = (time_t(instant), tm())
        localtime_r(&seconds, &time)
        return text(of: time, form)
    }

    /// Writes `instant` in UTC, such as `2026-11-23T13:00:05Z`.
    static func utc(_ instant: some BinaryInteger) -> String {
        var (seconds, time) = (time_t(instant), tm())
        gmtime_r(&seconds, &time)
        return text(of: time, "%Y-%m-%dT%H:%M:%SZ")
    }

    private static func text(of time: tm, _ form: String) -> String {
        var time = time
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, form, &time)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
