import Testing
import Wire

@testable import Live

/// Which person an operator is.
@Suite struct OperatorNameTests {
    @Test func `a user has the system's name and no other, and all tokens of a person have one`() {
        #expect(OperatorName.of(.user(0)) == "root")
        // Nobody has this number: no name is made up, by which they would be somebody else once they have one.
        #expect(OperatorName.of(.user(4_294_000_000)) == nil)
        #expect(["anna", "anna+phone", "anna+desk"].map { OperatorName.of(.token($0)) } == ["anna", "anna", "anna"])
        #expect(OperatorName.of(.token("anna.phone")) == "anna.phone" && OperatorName.of(.unknown) == nil)
    }
}
