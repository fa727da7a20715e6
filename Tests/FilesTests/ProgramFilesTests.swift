import Testing
@testable import Files

@Suite struct ProgramFilesTests {
    @Test func `an installed program's files are in share, a built one's are beside its sources`() {
        #expect(ProgramFiles.folder("www", of: "/usr/bin/thrumd") == "/usr/share/thrum/www")
        #expect(ProgramFiles.folder("themes", of: "/opt/thrum/bin/thrum") == "/opt/thrum/share/thrum/themes")
        #expect(ProgramFiles.folder("themes", of: "/home/a/thrum/.build/x86_64-unknown-linux-gnu/release/thrum") == "/home/a/thrum/themes")
    }
}
