import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

@Suite(.serialized) struct MemoryCopyTests {
    private func database() throws -> (Scratch, FilePath) {
        let scratch = try Scratch()
        return (scratch, FilePath(try scratch.write("all of it", to: StateStore.fileName)))
    }

    @Test func `a copy has what the database has, and is gone when it is not needed any more`() throws {
        let (scratch, path) = try database()
        _ = try scratch.write("and its WAL", to: StateStore.fileName + "-wal")
        let copyPath = try withExtendedLifetime(MemoryCopy(of: path)) { (copy: MemoryCopy) throws -> String in
            #expect(try String(contentsOfFile: copy.path.string, encoding: .utf8) == "all of it")
            #expect(try String(contentsOfFile: "\(copy.path)-wal", encoding: .utf8) == "and its WAL")
            return copy.path.removingLastComponent().string
        }
        #expect(copyPath.hasPrefix("/dev/shm/thrum-") && !FileManager.default.fileExists(atPath: copyPath))
        #expect(throws: (any Error).self) { _ = try MemoryCopy(of: FilePath(scratch.file("nothing"))) }
    }

    /// A folder that nobody has locked is what a kill leaves behind.
    @Test func `what a killed process has left behind is removed, what another uses stays`() throws {
        let (scratch, path) = try database()
        let leftOver = "/dev/shm/thrum-test-\(getpid())"
        try FileManager.default.createDirectory(atPath: leftOver, withIntermediateDirectories: false)
        try "old".write(toFile: leftOver + "/" + StateStore.fileName, atomically: false, encoding: .utf8)
        try withExtendedLifetime(MemoryCopy(of: path)) { (copy: MemoryCopy) throws in
            MemoryCopy.removeLeftOver()
            #expect(!FileManager.default.fileExists(atPath: leftOver))
            #expect(FileManager.default.fileExists(atPath: copy.path.string))
        }
        // A store removes it when it is opened.
        try FileManager.default.createDirectory(atPath: leftOver, withIntermediateDirectories: false)
        let store = StateStore(in: FilePath(scratch.file("state")))
        _ = store.open()
        #expect(!FileManager.default.fileExists(atPath: leftOver))
        #expect(store.close())
    }
}
