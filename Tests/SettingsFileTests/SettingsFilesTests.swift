import Evdev
import SettingsFile
import Signals
import SystemPackage
import Testing
import TestSupport
import YAML

@Suite struct SettingsFilesTests {
    private func file(_ path: String, _ text: String) -> SettingsFiles.File { SettingsFiles.File(path: path, text: text) }

    @Test func `the user's file comes before the machine's, wherever the user keeps settings`() {
        #expect(SettingsFiles.standardPaths(["HOME": "/home/a"]) == ["/home/a/.config/thrum/thrum.yaml", "/etc/thrum/thrum.yaml"])
        #expect(SettingsFiles.standardPaths(["HOME": "/home/a", "XDG_CONFIG_HOME": "/x"]) == ["/x/thrum/thrum.yaml", "/etc/thrum/thrum.yaml"])
        #expect(SettingsFiles.standardPaths([:]) == ["/etc/thrum/thrum.yaml"])
    }

    @Test func `files that are not there are none, and of the others the first that has a key counts`() throws {
        let scratch = try Scratch()
        let own = try scratch.write("rate: 1\n", to: "own.yaml")
        let machine = try scratch.write("rate: 2\nqueue: 3\n", to: "machine.yaml")
        let read = try SettingsFiles.read([FilePath(scratch.file("none.yaml")), FilePath(own), FilePath(own).appending("x"), FilePath(machine)])
        #expect(read.map(\.path) == [own, machine])
        let files = try SettingsFiles(read)
        #expect(try files.value("rate")?.text == "1")
        #expect(try files.value("queue")?.text == "3")
        #expect(try files.value("queue")?.file.file == machine)
        #expect(try files.value("idle") == nil)
    }

    @Test func `a file that was emptied, and one that cannot be read, are faults and not no settings`() throws {
        let scratch = try Scratch()
        let empty = try scratch.write("", to: "empty.yaml")
        let emptied = try #require(throws: FileFault.self) { try SettingsFiles.read([FilePath(empty)]) }
        #expect("\(emptied)" == "\(empty): expected settings, or at least a comment, found an empty file")
        let folder = try #require(throws: FileFault.self) { try SettingsFiles.read([FilePath(scratch.path)]) }
        #expect(folder.file == scratch.path)
        let both = try #require(throws: FileFault.self) { try SettingsFiles.read([FilePath(empty), FilePath(scratch.path)]) }
        #expect(Set(both.all.map(\.file)) == [empty, scratch.path])
        let comment = try scratch.write("# none\n", to: "comment.yaml")
        #expect(try SettingsFiles.read([FilePath(comment)]).count == 1)
    }

    @Test func `a key that nobody knows is told with its file, its line and what may have been meant`() throws {
        let files = try SettingsFiles([.init(path: "own.yaml", text: "rate: 1\n"), .init(path: "etc.yaml", text: "\nrtae: 2\nzebra: 3\n")])
        #expect(files.unknownKeys(besides: ["rate", "queue"]).map(\.description) == [
            "etc.yaml:2: rtae: expected a key that thrumd knows, such as rate, found this one",
            "etc.yaml:3: zebra: expected a key that thrumd knows, found this one",
        ])
        let loud = try SettingsFiles([.init(path: "loud.yaml", text: "volume: -6\n")])
        #expect(loud.unknownKeys(besides: ["queue"], elsewhere: ["volume": "ceiling"]).map(\.description) == [
            "loud.yaml:1: volume: expected a key that thrumd knows, such as ceiling, found this one",
        ])
    }

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
