import SettingsFile
import SystemPackage
import Testing
import TestSupport
import YAML

/// Files on a disk, and which of them counts.
@Suite struct ReadingTests {
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
}
