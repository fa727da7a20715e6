import Foundation
import Testing
import TestSupport

/// The compiler itself proves that rendering neither allocates nor locks; this proves that the compiler does.
@Suite struct RealtimeRuleTests {
    /// Compiles the core alone, with `change` made to one of the synth's files.
    private func compile(_ file: String, replacing good: String, with bad: String, _ optimization: String) throws -> Finished {
        let scratch = try Scratch()
        let path = repository + "/Sources/Sound/Synth/" + file
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(good))
        let changed = try scratch.write(text.replacingOccurrences(of: good, with: bad), to: file)
        for path in ["Base/Units", "Base/Realtime", "Base/JSON", "Base/Fields", "Base/Calendar", "Signals", "Sound/Synth"] {
            let folder = repository + "/Sources/" + path
            let room = path.split(separator: "/").last.map(String.init) ?? path
            let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
            let files = names.filter { $0.hasSuffix(".swift") }.map { room == "Synth" && $0 == file ? changed : folder + "/" + $0 }
            let finished = try run("swiftc", [
                "-swift-version", "6", "-enable-experimental-feature", "Lifetimes", "-parse-as-library", "-wmo", optimization,
                "-I", scratch.path, "-module-name", room, "-emit-module-path", scratch.file(room + ".swiftmodule"), "-c", "-o", scratch.file(room + ".o"),
            ] + files)
            if finished.status != 0 { return finished }
        }
        return Finished(status: 0, output: Data(), errors: "")
    }

    private let gate = "gate.head(for: 1, in: fade)"

    @Test(arguments: ["-Onone", "-O"])
    func `a render path that allocates does not compile`(optimization: String) throws {
        let finished = try compile("Tone.swift", replacing: gate, with: "let frames = [fade]; gate.head(for: 1, in: frames[0])",
                                 optimization)
        #expect(finished.status != 0)
        let words = finished.text + finished.errors
        #expect(words.contains("error:") && words.contains("can cause metadata allocation or locks")
            || words.contains("can cause an allocation"), "\(words)")
    }

    @Test func `nor does one that calls libm or locks`() throws {
        let finished = try compile("Tone.swift", replacing: gate, with: "gate.head(for: Float(1).squareRoot(), in: fade)", "-Onone")
        #expect(finished.status != 0)
    }

    @Test func `as it stands, it compiles`() throws {
        #expect(try compile("Tone.swift", replacing: gate, with: gate, "-Onone").status == 0)
    }
}
