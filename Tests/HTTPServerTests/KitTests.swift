import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import TestSupport
import Wire

@testable import HTTPServer

/// The kit of the server's own pages, and the documentation, asked for without a connection.
@Suite struct KitTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for folder in ["own/kit", "site/reference", "www/docs", "www/kit", "www/mine"] {
            try FileManager.default.createDirectory(atPath: scratch.file(folder), withIntermediateDirectories: true)
        }
        _ = try scratch.write("own", to: "own/kit/engine.js")
        _ = try scratch.write("not it", to: "www/kit/engine.js")
        _ = try scratch.write("not it either", to: "www/kit/more.js")
        _ = try scratch.write("the documentation", to: "site/index.html")
        _ = try scratch.write("the engine", to: "site/reference/engine.html")
        _ = try scratch.write("other documents", to: "www/docs/index.html")
        _ = try scratch.write("mine", to: "www/mine/main.js")
    }

    /// `origin` is that of the page which asks, after it was let in.
    private func ask(_ target: String, hasKit: Bool = true, hasDocs: Bool = false, from origin: String? = nil) async throws -> HTTPAnswer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let (pages, kit) = (Pages(in: scratch.file("www")), hasKit ? Pages(in: scratch.file("own/kit")) : nil)
        let docs = hasDocs ? Pages(in: scratch.file("site")) : nil
        let desk = try await loop.submit {
            let desk = HTTPDesk(pages: pages, kit: kit, docs: docs, page: nil, on: loop) { loop.makeSucceededFuture(Example.status) }
            return NIOLoopBound(desk, eventLoop: loop)
        }.get()
        let answer = try await loop.submit {
            let headers: HTTPHeaders = origin.map { ["Origin": $0] } ?? [:]
            return try desk.value.answer(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers), on: 1) {
                (_, _) throws(HTTPRefusal) in throw HTTPRefusal(.unauthorized, "nothing here is for some alone")
            }
        }.flatMap { $0 }.get()
        withExtendedLifetime(desk) {}
        try await group.shutdownGracefully()
        return answer
    }

    private func text(_ answer: HTTPAnswer) -> String {
        guard case .bytes(let bytes) = answer.body else { return "a part" }
        return String(buffer: bytes)
    }

    @Test func `the kit is at its address whatever the folder of pages has there`() async throws {
        for target in ["/kit/engine.js", "/%6Bit/engine.js", "/kit%2Fengine.js", "/kit/engine.js?v=2"] {
            #expect(try await text(ask(target)) == "own", "\(target)")
        }
        for target in ["/kit/more.js", "/kit/", "/kit"] { #expect(try await ask(target).status == .notFound, "\(target)") }
        #expect(try await text(ask("/mine/main.js")) == "mine")
        let missing = try await ask("/kit/engine.js", hasKit: false)
        #expect(missing.status == .notFound && text(missing) == "the kit is not installed\n")
    }

    @Test func `the documentation is at its address where there is one, and for own pages only`() async throws {
        #expect(try await text(ask("/docs/", hasDocs: true)) == "the documentation")
        #expect(try await text(ask("/docs/reference/engine.html", hasDocs: true, from: "https://example.org")) == "the engine")
        #expect(try await ask("/docs", hasDocs: true).headers["Location"] == ["/docs/"])
        let shared = try await ask("/docs/reference/engine.html", hasDocs: true, from: "https://example.org")
        #expect(shared.headers["Access-Control-Allow-Origin"] == [])
        #expect(try await ask("/docs/none.html", hasDocs: true).status == .notFound)
        #expect(try await text(ask("/docs/")) == "other documents")
    }

    @Test func `a page from elsewhere that may ask may read the kit, and nothing else`() async throws {
        let shared = try await ask("/kit/engine.js", from: "https://example.org")
        #expect(shared.headers["Access-Control-Allow-Origin"] == ["https://example.org"] && shared.headers["Vary"] == ["Origin"])
        #expect(shared.headers["Cross-Origin-Resource-Policy"] == ["cross-origin"])
        let own = try await ask("/kit/engine.js")
        #expect(own.headers["Access-Control-Allow-Origin"] == [] && own.headers["Vary"] == ["Origin"])
        #expect(own.headers["Cross-Origin-Resource-Policy"] == [], "the precautions of every answer say the same origin")
        for target in ["/mine/main.js", "/health", "/metrics", "/"] {
            #expect(try await ask(target, from: "https://example.org").headers["Access-Control-Allow-Origin"] == [], "\(target)")
        }
    }
}
