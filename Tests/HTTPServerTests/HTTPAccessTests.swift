import NIOCore
import NIOHTTP1
import Testing
import Wire

@testable import HTTPServer

@Suite struct HTTPAccessTests {
    private func request(_ headers: HTTPHeaders) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
    }

    private func status(_ access: HTTPAccess, at address: String = "127.0.0.1", _ headers: HTTPHeaders) throws -> HTTPResponseStatus? {
        do throws(HTTPRefusal) {
            try access.check(request(headers), at: try? SocketAddress(ipAddress: address, port: 7400))
            return nil
        } catch {
            return error.status
        }
    }

    /// A page of anybody's site may have its name lead here (DNS rebinding); then the browser says that name.
    @Test(arguments: ["localhost", "LOCALHOST:9", "127.0.0.1", "127.0.0.1:7400", "[::1]:9", "127.8.9.1", "console.example.org", "Console.Example.Org:443"])
    func `who asks this machine by a name that is its own is answered`(host: String) throws {
        #expect(try status(HTTPAccess(names: ["Console.example.org"]), ["Host": host]) == nil)
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.7:80", "10.0.0.1", "console.example.org.evil.example"])
    func `who asks by another name is refused`(host: String) throws {
        #expect(try status(HTTPAccess(names: ["console.example.org"]), ["Host": host]) == .forbidden)
    }

    @Test(arguments: ["", "localhost:port", "[::1", "[localhost]:9", "localhost:70000", "a b", "localhost/x", "::1", "user@localhost"])
    func `a host that is none is a bad request`(host: String) throws {
        #expect(try status(HTTPAccess(), ["Host": host]) == .badRequest)
    }

    @Test func `there is exactly one host`() throws {
        #expect(try status(HTTPAccess(), [:]) == .badRequest)
        #expect(try status(HTTPAccess(), HTTPHeaders([("Host", "localhost"), ("Host", "localhost")])) == .badRequest)
    }

    @Test func `the address that was connected to is a name of its own, and no other address is`() throws {
        #expect(try status(HTTPAccess(), at: "192.0.2.7", ["Host": "192.0.2.7:7400"]) == nil)
        #expect(try status(HTTPAccess(), at: "192.0.2.7", ["Host": "192.0.2.8:7400"]) == .forbidden)
        #expect(try status(HTTPAccess(), at: "2001:db8::1", ["Host": "[2001:DB8:0::1]:7400"]) == nil)
    }

    @Test func `a page from here may ask, and one from elsewhere only if it is named`() throws {
        let access = HTTPAccess(origins: ["http://localhost:8080", "null"])
        for origin in ["http://127.0.0.1:7400", "https://127.0.0.1:7400", "http://localhost:8080", "null"] {
            #expect(try status(access, ["Host": "127.0.0.1:7400", "Origin": origin]) == nil, "\(origin)")
        }
        for origin in ["http://127.0.0.1", "http://localhost:7400", "http://evil.example", "http://127.0.0.1:7400.evil.example", "ftp://127.0.0.1:7400", ""] {
            #expect(try status(access, ["Host": "127.0.0.1:7400", "Origin": origin]) == .forbidden, "\(origin)")
        }
        #expect(try status(HTTPAccess(), ["Host": "127.0.0.1:7400", "Origin": "null"]) == .forbidden)
        let refusal = try #require(throws: HTTPRefusal.self) {
            try access.check(request(["Host": "localhost:7400", "Origin": "http://evil.example\u{7}\u{E9}"]), at: nil)
        }
        #expect(refusal.reason == "the Origin http://evil.example??? is neither this server's, localhost, nor one of the setting http-origins")
    }

    private func role(_ access: HTTPAccess, from peer: String, _ headers: HTTPHeaders) throws -> Role? {
        try? access.admission(of: request(headers), from: SocketAddress(ipAddress: peer, port: 5000)).wayIn.role
    }

    @Test func `a page on this machine has the role of the setting`() throws {
        for role in Role.allCases {
            let access = HTTPAccess(localRole: role)
            #expect(try self.role(access, from: "127.0.0.1", ["Host": "localhost:7400"]) == role)
            #expect(try self.role(access, from: "::1", ["Host": "[::1]:7400"]) == role)
        }
        #expect(try role(HTTPAccess(localRole: nil), from: "127.0.0.1", ["Host": "localhost"]) == nil)
    }

    @Test func `who comes from another machine, also by a proxy on this one, has no role`() throws {
        let access = HTTPAccess(names: ["console.example.org"], localRole: .operator)
        #expect(try role(access, from: "192.0.2.9", ["Host": "localhost"]) == nil)
        #expect(try role(access, from: "127.0.0.1", ["Host": "console.example.org"]) == nil)
        for header in ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"] {
            #expect(try role(access, from: "127.0.0.1", ["Host": "localhost", header: "x"]) == nil, "\(header)")
        }
    }
}
