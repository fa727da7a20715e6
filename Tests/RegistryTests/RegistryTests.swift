import Experience
import Fields
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
}
