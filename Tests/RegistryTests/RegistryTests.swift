import Experience
import Fields
import Foundation
import Registry
import Signals
import Testing
import Units

/// What holds for every piece, whatever it does.
@Suite struct RegistryTests {
    @Test func `pieces are found by their names, and each has its own`() {
        let names = Registry.pieces.map { $0.declaration.name }
        #expect(Set(names).count == names.count && names.contains("direct"))
        for name in names { #expect(Registry.pieces.named(name)?.declaration.name == name) }
        #expect(Registry.pieces.named("nothing") == nil)
    }

    @Test func `no two pieces have an action or a query of one name`() {
        let names = Registry.pieces.flatMap { $0.declaration.actions.map(\.name) + $0.declaration.queries.map(\.name) }
        #expect(Set(names).count == names.count)
    }

    @Test func `the standard theme has every cue that a piece asks for, and a theme without is refused by the cue's name`() {
        for declaration in Registry.pieces.declarations {
            #expect(declaration.lacking(in: .standard) == nil)
            for chime in declaration.chimes {
                var theme = Theme.standard
                theme.chimes[chime] = nil
                #expect(declaration.lacking(in: theme) == "the chime \(chime)")
            }
        }
    }

    @Test func `what a piece does not declare is refused, with the piece's name, and changes nothing`() throws {
        for piece in Registry.pieces {
            let run = Run(piece, Opening(theme: .standard, seed: 7, rate: .standard))
            let stranger = Action(UncheckedAction(name: "no.such.thing", fields: [:]))
            let fault = try #require(throws: Fault.self) { try run.admit(Event(client: .screen(1), .action(stranger)), at: .zero) }
            #expect(fault.found == "no.such.thing")
            #expect(fault.expected.contains(piece.declaration.name))
        }
    }

    @Test func `what is shown of a piece at a glance is in the answer to its snapshot's query`() throws {
        for declaration in Registry.pieces.declarations {
            guard let snapshot = declaration.snapshot else { continue }
            let query = try #require(declaration.queries.first { $0.name == snapshot.query }, "\(declaration.name)")
            let answer: any Encodable & Sendable = try #require(query.examples.first as (any Encodable & Sendable)?)
            let example = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
            #expect(!snapshot.glance.isEmpty, "\(declaration.name)")
            for glance in snapshot.glance { #expect(example.contains("\"\(glance.field)\":"), "\(declaration.name): \(glance.field)") }
        }
    }

    @Test func `every topic of a piece can be rehearsed, under plain names that are each there once, and put right by a query`() throws {
        for declaration in Registry.pieces.declarations {
            guard let rehearsal = declaration.rehearsal else {
                #expect(declaration.topics.isEmpty, "\(declaration.name)")
                continue
            }
            let scenes = rehearsal.scenes
            #expect(Set(scenes.map(\.topic)) == Set(declaration.topics.map(\.name)), "\(declaration.name)")
            let words = scenes.map { "\($0.topic)/\($0.name)" }
            #expect(Set(words).count == words.count, "\(declaration.name)")
            #expect(scenes.allSatisfy { $0.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil }, "\(words)")
            let query = try #require(declaration.query(rehearsal.query))
            let run = Run(Registry.pieces.named(declaration.name)!, Opening(theme: .standard, seed: 7, rate: .standard))
            let truth = try #require(rehearsal.correction(by: try run.answer(query, at: .zero)), "\(declaration.name)")
            #expect(declaration.topics.contains { $0.name == truth.topic })
        }
    }

    /// The rules' kinds, by piece and topic; each piece that can be rehearsed has a line.
    private static let kinds = [
        ("colorscroller", "unlock", ["common", "rare", "special-stripes", "special-dots", "special-symbols", "special-emoji"]),
        ("colorscroller", "scroll", ["leaderboard", "gray", "common", "rare", "special-stripes", "special-dots", "special-symbols", "special-emoji"]),
        ("scrollkitty", "cat", ["healthy", "concerned", "tired", "weak", "dead", "open-app", "per-app", "outside-window"]),
        ("unhooked", "health", ["sick", "died", "recovered"]),
    ]

    @Test func `every piece that can be rehearsed has its kinds listed here`() {
        let listed = Set(Self.kinds.map(\.0))
        for declaration in Registry.pieces.declarations where declaration.rehearsal != nil {
            #expect(listed.contains(declaration.name), "RegistryTests.kinds lacks a line for \(declaration.name)")
        }
    }

    @Test(arguments: kinds)
    func `a rehearsal has each kind that the rules know`(piece: String, topic: String, names: [String]) throws {
        let rehearsal = try #require(Registry.pieces.declarations.first { $0.name == piece }?.rehearsal)
        #expect(rehearsal.scenes.filter { $0.topic == topic }.map(\.name) == names)
    }

    @Test func `the cats of a rehearsal are in the conditions that they are called by`() throws {
        let rehearsal = try #require(Registry.pieces.declarations.first { $0.name == "scrollkitty" }?.rehearsal)
        for scene in rehearsal.scenes.filter({ $0.topic == "cat" }).prefix(5) {
            let told = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(scene.announcement)) as? [String: Any])
            #expect(told["condition"] as? String == scene.name)
        }
        // 11 groups of texts (docs/scrollkitty-messages.md), and a greeting for each of seven bands.
        #expect(rehearsal.scenes.count { $0.topic == "message" } == 18)
    }
}
