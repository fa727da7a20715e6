import Files
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import Wire

@testable import HTTPServer

@Suite struct GrantsTests {
    private let grants = Grants()
    private let console = Grant(name: "console", role: .operator, digest: Digest.of(Array("sesame".utf8)))
    private let wall = Grant(name: "wall", role: .watch, digest: Digest.of(Array("look".utf8)))

    init() { grants.replace(with: [console, wall]) }

    private func admission(_ headers: HTTPHeaders, from peer: String = "192.0.2.9", at seconds: Int64 = 0, local: Role? = .visitor)
        throws -> Result<HTTPAccess.Admission, HTTPRefusal> {
        let access = HTTPAccess(localRole: local, grants: grants)
        var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/socket", headers: headers)
        request.headers.add(name: "Host", value: "localhost")
        let (address, now) = (try SocketAddress(ipAddress: peer, port: 5000), NIODeadline.uptimeNanoseconds(0) + .seconds(seconds))
        do throws(HTTPRefusal) {
            return .success(try access.admission(of: request, from: address, at: now))
        } catch {
            access.noteRefused(request, error, from: address, at: now)
            return .failure(error)
        }
    }

    /// The value is the one of FIPS 180-4's example for "abc".
    @Test func `a digest is SHA-256`() {
        #expect(Digest.hexadecimal(Digest.of(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `a token admits to what its pass says, by either way of showing it`() throws {
        #expect(try admission(["Authorization": "Bearer sesame"]) == .success(.grant(console)))
        #expect(try admission(["Authorization": "bearer look"]) == .success(.grant(wall)))
        #expect(try admission(["Sec-WebSocket-Protocol": "thrum, thrum.token.look"]) == .success(.grant(wall)))
    }

    @Test func `a pass without a role is an invitation's, and comes in as nobody who has a token`() throws {
        grants.replace(with: [Grant(name: "shop", role: nil, digest: Digest.of(Array("7k2mq9x4tz0a".utf8)))])
        let invited = try admission(["Authorization": "Bearer 7k2mq9x4tz0a"]).get()
        #expect(invited.wayIn == .invitation && invited.identity == .invitation("shop"))
        let token = HTTPAccess.Admission.grant(console)
        #expect(token.wayIn == .token(.operator) && token.identity == .token("console"))
    }

    @Test func `without a token only who is local is let in`() throws {
        #expect(try admission([:], from: "127.0.0.1") == .success(.local(.visitor)))
        #expect(try admission([:], from: "127.0.0.1", local: nil).refusal?.status == .unauthorized)
        #expect(try admission([:]).refusal?.status == .unauthorized)
    }

    @Test(arguments: ["Sesame", "sesame ", "sesam", "sesame1", "console", "\u{0}", ""])
    func `a wrong token gets 401, also where none is needed`(token: String) throws {
        let refusal = try admission(["Sec-WebSocket-Protocol": "thrum, thrum.token.\(token)x"], from: "127.0.0.1").refusal
        #expect(refusal?.status == .unauthorized && refusal?.reason == "this token is unknown, or was revoked")
    }

    @Test func `who shows too many wrong tokens has to wait, and a right one always gets in`() throws {
        for _ in 0..<10 { #expect(try admission(["Authorization": "Bearer x"]).refusal?.status == .unauthorized) }
        let refusal = try admission(["Authorization": "Bearer y"]).refusal
        #expect(refusal?.status == .tooManyRequests && refusal?.headers["Retry-After"] == ["6"])
        for _ in 0..<40 { #expect(try admission(["Authorization": "Bearer sesame"]) == .success(.grant(console)), "from the same address") }
        #expect(try admission(["Authorization": "Bearer sesame"], from: "192.0.2.10") == .success(.grant(console)))
        #expect(try admission([:], from: "127.0.0.1") == .success(.local(.visitor)))
        #expect(try admission(["Authorization": "Bearer x"], at: 5).refusal?.status == .tooManyRequests)
        #expect(try admission(["Authorization": "Bearer x"], at: 6).refusal?.status == .unauthorized)
        #expect(try admission(["Authorization": "Bearer x"], at: 7).refusal?.status == .tooManyRequests)
    }

    @Test func `wrong tokens of many addresses take up little memory, and the worst address is remembered`() {
        var wrong = WrongTokens()
        let now = NIODeadline.uptimeNanoseconds(0)
        for _ in 0..<10 { wrong.note("worst", at: now) }
        for number in 0..<10_000 { wrong.note("\(number)", at: now) }
        #expect(wrong.wait(of: "worst", at: now) == 6)
    }

    @Test func `a pass that is taken away ends the connections that came by it, and no others`() throws {
        let channels = [console, wall, wall].map { grant in
            let channel = EmbeddedChannel()
            try? channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            grants.hold(channel, by: grant)
            return channel
        }
        grants.replace(with: [console])
        channels.forEach { $0.embeddedEventLoop.run() }
        #expect(channels.map(\.isActive) == [true, false, false])
        #expect(try admission(["Authorization": "Bearer look"]).refusal?.status == .unauthorized)
        // One that was revoked between the look at its token and its WebSocket.
        let late = EmbeddedChannel()
        try late.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        grants.hold(late, by: wall)
        late.embeddedEventLoop.run()
        #expect(!late.isActive)
        // The same name with another token is another pass.
        grants.replace(with: [Grant(name: "console", role: .operator, digest: Digest.of([]))])
        channels[0].embeddedEventLoop.run()
        #expect(!channels[0].isActive)
    }
}

extension Result where Failure == HTTPRefusal {
    fileprivate var refusal: HTTPRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
}
