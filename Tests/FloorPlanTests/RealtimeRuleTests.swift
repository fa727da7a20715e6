import Foundation
import Testing
import TestSupport

/// The compiler refuses locks and allocations in what is marked for it, but not all that an optimized build inlines. Rooms with such code are
/// optimized in every build, so it is compiled once more here as it stands.
@Suite struct RealtimeRuleTests {
    @Test(arguments: ["Units", "Signals", "Synth"]) func `what the render thread calls keeps the rule where nothing is inlined`(room: String) throws {
        let finished = try compile(room)
        #expect(finished.status == 0, "\(finished.errors)")
    }

    @Test func `these are all rooms with marked code`() throws {
        let marked = try rooms().filter { room in
            try swiftFiles(room.folder).contains { try String(contentsOfFile: $0, encoding: .utf8).contains("@_noLocks") }
        }
        #expect(marked.map(\.name) == ["Units", "Signals", "Synth"])
    }

    @Test func `marked code that allocates is refused`() throws {
        let scratch = try Scratch()
        let code = "@_noLocks @_noAllocation func numbers(_ count: Int) -> [Int] { Array(repeating: 0, count: count) }"
        let file = try scratch.write(code, to: "Allocating.swift")
        let finished = try compile("Units", with: [file])
        #expect(finished.status == 1 && finished.errors.contains("Allocating.swift:1:"), "\(finished.errors)")
    }

    /// To SIL, in which the compiler checks the rule, by the modules of the build that this test is of.
    private func compile(_ room: String, with others: [String] = []) throws -> Finished {
        let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/Modules"
        let files = try rooms().filter { $0.name == room }.flatMap { swiftFiles($0.folder) }
        return try run("swiftc", ["-Onone", "-wmo", "-emit-sil", "-o", "/dev/null", "-module-name", room, "-swift-version", "6",
                                  "-enable-upcoming-feature", "ExistentialAny", "-enable-experimental-feature", "Lifetimes",
                                  "-warnings-as-errors", "-I", modules] + files + others)
    }
}
