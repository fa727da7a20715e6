import Fields
import PatternFile
import Signals
import SystemPackage
import Testing
import TestSupport

private func pattern(_ intensity: Double, more: String = "") -> String {
    #"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":0,"EventParameters":["#
        + #"{"ParameterID":"HapticIntensity","ParameterValue":\#(intensity)}]}}]\#(more)}"#
}

@Suite struct PatternFolderTests {
    @Test func `each AHAP file of a folder is a pattern by its name, and other files are none`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(pattern(0.5), to: "storm.ahap")
        _ = try scratch.write(pattern(0.25), to: "calm.night.ahap")
        for other in [".hidden.ahap", "notes.txt", "storm.ahap~"] { _ = try scratch.write("nonsense", to: other) }
        let folder = try PatternFolder(FilePath(scratch.path))
        #expect(folder.patterns.keys.sorted() == ["calm.night", "storm"])
        #expect(folder.patterns["storm"]?.events.map(\.intensity) == [0.5])
        #expect(folder.ignored.isEmpty)
    }

    @Test func `what is passed over is told by file and path`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(pattern(1, more: #","Colour":"red""#), to: "a.ahap")
        let ignored = try PatternFolder(FilePath(scratch.path)).ignored
        #expect(ignored.map(\.file) == ["a.ahap"])
        #expect(ignored.map(\.paths) == [["Colour"]])
    }

    @Test func `a bad file is a fault that names it and the path within`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(pattern(1), to: "a.ahap")
        let bad = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":"soon"}}]}"#, to: "b.ahap")
        let fault = try #require(throws: Fault.self) { try PatternFolder(FilePath(scratch.path)) }
        #expect("\(fault)" == #"\#(bad): Pattern[0].Event.Time: expected a number, found "soon""#)
    }

    @Test func `a folder that is not there is a fault of the setting`() throws {
        let scratch = try Scratch()
        let fault = try #require(throws: Fault.self) { try PatternFolder(FilePath(scratch.file("none"))) }
        #expect(fault == Fault(field: "patterns", expected: "a folder of AHAP files", found: "\"\(scratch.file("none"))\""))
    }

    @Test func `a pattern's sound file is found beside the pattern, and named by its whole path`() throws {
        let scratch = try Scratch()
        let knock = try scratch.write("", to: "knock.wav")
        let sound = #"{"Pattern":[{"Event":{"EventType":"AudioCustom","Time":0,"EventWaveformPath":"./knock.wav","EventParameters":[]}}]}"#
        let path = try scratch.write(sound, to: "a.ahap")
        #expect(try PatternFile.read(FilePath(path)).pattern.sounds.map(\.source) == [.file(knock)])
    }
}
