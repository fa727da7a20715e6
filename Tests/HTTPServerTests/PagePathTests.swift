import Testing

@testable import HTTPServer

@Suite struct PagePathTests {
    @Test(arguments: [
        ("/kit/touch.js", "kit/touch.js"), ("/colorscroller/", "colorscroller/index.html"), ("/colorscroller", "colorscroller"),
        ("/a%20b/%C3%A4.svg", "a b/ä.svg"), ("/a..b/c.", "a..b/c."), ("/a\\..\\b", "a\\..\\b"),
    ])
    func `a target is a path in the folder of pages`(target: String, path: String) throws {
        #expect(try PagePath(target).path == path)
    }

    @Test(arguments: ["/..", "/../etc/passwd", "/kit/../../etc/passwd", "/%2e%2e/etc/passwd", "/kit/%2E%2e%2fetc", "/.git/config", "/kit/.env",
                      "//etc/passwd", "/kit//touch.js", "/%2fetc/passwd", "/."])
    func `nothing outside of the folder and nothing hidden has a path`(target: String) throws {
        #expect(try #require(throws: HTTPRefusal.self) { try PagePath(target) }.status == .notFound)
    }

    @Test func `what is in a folder has a path in it`() throws {
        for (target, rest) in [("/kit/touch.js", "touch.js"), ("/%6bit%2Ftouch.js?v=2", "touch.js"), ("/kit", ""), ("/kit/", "index.html"),
                               ("/kit/a/b", "a/b")] {
            #expect(try PagePath(target.prefix { $0 != "?" }).inside("kit")?.path == rest, "\(target)")
        }
        for target in ["/kitty/touch.js", "/mine/kit/touch.js", "/ki", "/Kit/touch.js"] {
            #expect(try PagePath(target).inside("kit") == nil, "\(target)")
        }
    }

    @Test(arguments: ["", "*", "kit", "http://localhost/kit", "/%", "/%2", "/%zz", "/%00", "/a%00.js", "/%ff", "/%c0%ae%c0%ae/"])
    func `what is no path in UTF-8 is a bad request`(target: String) throws {
        #expect(try #require(throws: HTTPRefusal.self) { try PagePath(target) }.status == .badRequest)
    }
}
