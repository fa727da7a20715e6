import Foundation

/// The programs under test: the release build where `THRUMDEV_BIN` says so, as `make test` does, else the debug build.
public enum Programs {
    public static let directory = ProcessInfo.processInfo.environment["THRUMDEV_BIN"] ?? repository + "/.build/debug"
    public static let thrum = directory + "/thrum"
    public static let thrumd = directory + "/thrumd"
    /// Built beside the tests, and not for release.
    public static let stateWriter = repository + "/.build/debug/StateWriter"
    public static let thrumFleet = repository + "/.build/debug/thrum-fleet"
    /// thrumd and thrum with the metronome and the piggy bank among their pieces.
    public static let metronomed = repository + "/.build/debug/metronomed"
    public static let metronomeTool = repository + "/.build/debug/metronome-tool"
}

/// Runs `thrum` to its end.
public func thrum(_ arguments: String...) throws -> Finished { try run(Programs.thrum, arguments) }

/// Plays a script of `AcceptanceTests/pages` to its end: a real browser at a real thrumd. By Debian's Python, which has Selenium.
public func playPage(_ script: String, _ arguments: [String] = []) async throws -> Finished {
    try await Running("/usr/bin/python3", [repository + "/Tests/AcceptanceTests/pages/" + script, Programs.thrumd] + arguments).finished()
}

/// Waits up to half a minute for `condition`; a machine that is busy is given its time.
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<1_500 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}
