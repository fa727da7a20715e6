import Foundation
import Testing
import TestSupport

/// The compiler itself proves that rendering neither allocates nor locks; this proves that the compiler does.
@Suite struct RealtimeRuleTests {
    /// Builds the core alone, with `change` made to one of the synth's files.
    private func build(_ file: String, replacing good: String, with bad: String, _ configuration: String) throws -> Finished {
        let scratch = try Scratch()
        for room in ["Units", "Realtime", "Signals", "Synth"] {
            try FileManager.default.createDirectory(atPath: scratch.file("Sources"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: repository + "/Sources/" + room, toPath: scratch.file("Sources/" + room))
        }
        _ = try scratch.write("""
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "Core", targets: [
                .target(name: "Units"), .target(name: "Realtime"), .target(name: "Signals", dependencies: ["Units"]),
                .target(name: "Synth", dependencies: ["Realtime", "Signals", "Units"]),
            ])
            """, to: "Package.swift")
        let path = "Sources/Synth/" + file
        let text = try String(contentsOfFile: scratch.file(path), encoding: .utf8)
        try #require(text.contains(good))
        _ = try scratch.write(text.replacingOccurrences(of: good, with: bad), to: path)
        return try run("swift", ["build", "--package-path", scratch.path, "-c", configuration, "--target", "Synth"])
    }

    private let gate = "gate.head(for: 1, in: gate.target == 1 ? gate.remaining : fade)"

    @Test(arguments: ["debug", "release"])
    func `a render path that allocates does not compile`(configuration: String) throws {
        let finished = try build("Tone.swift", replacing: gate, with: "let frames = [fade]; gate.head(for: 1, in: frames[0])",
                                 configuration)
        #expect(finished.status != 0)
        let words = finished.text + finished.errors
        #expect(words.contains("error:") && words.contains("can cause metadata allocation or locks")
            || words.contains("can cause an allocation"), "\(words)")
    }

    @Test func `nor does one that calls libm or locks`() throws {
        let finished = try build("Tone.swift", replacing: gate, with: "gate.head(for: Float(1).squareRoot(), in: fade)", "debug")
        #expect(finished.status != 0)
    }

    @Test func `as it stands, it compiles`() throws {
        #expect(try build("Tone.swift", replacing: gate, with: gate, "debug").status == 0)
    }
}
