import Files
import Foundation
import SystemPackage
import Testing
import TestSupport

@Suite struct NamedPathsTests {
    @Test func `a file is looked for from the folder of the file that names it, behind links too`() throws {
        let scratch = try Scratch()
        let real = try #require(realpath(scratch.path, nil))
        defer { free(real) }
        let folder = FilePath(platformString: real)
        #expect(symlink(scratch.path, scratch.file("link")) == 0)
        for path in [FilePath(scratch.path), FilePath(scratch.file("link"))] {
            #expect(path.absolutePath(of: "./a/../knock.wav") == folder.appending("knock.wav"))
            #expect(path.absolutePath(of: "/b/knock.wav") == "/b/knock.wav")
        }
        #expect(FilePath(scratch.file("none")).absolutePath(of: "knock.wav") == FilePath(scratch.file("none/knock.wav")))
        #expect(FilePath("").absolutePath(of: "knock.wav").isAbsolute)
    }

    @Test func `the user's folder is in XDG_CONFIG_HOME, else in HOME, else nowhere`() {
        #expect(FilePath.userFolder(["HOME": "/home/a", "XDG_CONFIG_HOME": "/x"]) == "/x/thrum")
        #expect(FilePath.userFolder(["HOME": "/home/a"]) == "/home/a/.config/thrum")
        #expect(FilePath.userFolder([:]) == nil)
    }
}
