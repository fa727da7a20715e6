import Evdev
import SettingsFile
import Signals
import Testing
import YAML

@Suite struct SettingsFilesTests {
    private func file(_ path: String, _ text: String) -> SettingsFiles.File { SettingsFiles.File(path: path, text: text) }

    @Test func `faults of several files are told at once, each with its own file`() throws {
        let syntax = try #require(throws: FileFault.self) { try SettingsFiles([file("own.yaml", "a: [\n"), file("etc.yaml", "a: {\n")]) }
        #expect(syntax.all.map(\.file) == ["etc.yaml", "own.yaml"])
        let files = try SettingsFiles([file("own.yaml", "motors: {pad: {gain: 2}}\n"),
                                       file("etc.yaml", "\nmotors: {pad: {gain: 3}}\ntouchscreens: {left: {rotate: 1}}\n")])
        let values = try #require(throws: FileFault.self) { try files.decode(DeviceRules.self, keys: ["touchscreens", "motors"]) }
        #expect(values.all.map(\.description) == [
            "etc.yaml:3: touchscreens.left.rotate: expected one of 0, 90, 180, 270, found 1",
            "own.yaml:1: motors.pad.gain: expected a number from 0 to 1, found 2",
        ])
    }
}
