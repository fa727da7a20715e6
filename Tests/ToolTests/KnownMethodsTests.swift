import Experience
import Registry
import Testing
import Wire

@testable import Live
@testable import Tool

/// Expected names and parameters are those of the daemon's own table.
@Suite struct KnownMethodsTests {
    @Test(arguments: [[], Registry.pieces.declarations])
    func `the command line knows each method of the daemon with its parameters, and no other`(_ pieces: [Declaration]) {
        let known = KnownMethods(pieces)
        let methods = MethodTable(EngineMethods.all(pieces)).descriptions
        #expect(known.names == methods.map(\.name))
        for method in methods {
            let parameters = known.parameters(of: method.name)
            #expect(parameters.map(\.name) == method.parameters.map(\.name), "\(method.name)")
            #expect(parameters.map(\.kind) == method.parameters.map { ParameterKind($0.kind) }, "\(method.name)")
        }
        #expect(known.parameters(of: "fly").isEmpty)
    }
}
