import Foundation
import Testing
import TestSupport

@Suite struct DemoTests {
    @Test func `thrum demo leaves a minute to hear, its picture and its journal, and replaces nothing unasked`() throws {
        let scratch = try Scratch()
        let folder = scratch.file("made/for/it")
        let made = try thrum("demo", "--into", folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.text.contains("  ding at 0:3") && made.text.contains("  unlock at 0:09"), "\(made.text)")
        let journal = try String(contentsOfFile: folder + "/demo.jsonl", encoding: .utf8)
        let end = try #require(journal.firstMatch(of: /"end":"idle","frame":([0-9]+)/)?.1)
        let wave = try WaveFile(path: folder + "/demo.wav")
        #expect(wave.channels == 2 && wave.bits == 16 && wave.rate == 48_000)
        #expect(wave.data.count / 4 == Int(end))
        #expect(try String(contentsOfFile: folder + "/demo.svg", encoding: .utf8).hasSuffix("</svg>\n"))

        let before = try sha256(try Data(contentsOf: URL(fileURLWithPath: folder + "/demo.wav")))
        let again = try thrum("demo", "--into", folder, "--seed", "2")
        #expect(again.status == 73 && again.errors.contains("demo.jsonl: the file exists; --force replaces it"), "\(again.errors)")
        #expect(try sha256(try Data(contentsOf: URL(fileURLWithPath: folder + "/demo.wav"))) == before)
        #expect(try thrum("demo", "--seed", "-1").status == 64)
    }
}
