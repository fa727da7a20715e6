import Wire

/// Where the sound goes, in words for people.
enum OutputText {
    /// For instance `sound server, playing`; `state` may be newer than the report's.
    static func words(_ output: StatusReport.Output, _ state: StatusReport.Output.State) -> String {
        guard output.kind != .null else { return "null: nothing is heard" }
        let source = output.kind == .alsa ? "sound card" : "sound server"
        return state == .connected ? "\(source), playing" : "\(source), waiting for it"
    }
}
