import Fields
import Testing

@Suite struct CommandLineProblemTests {
    @Test func `what is wrong comes first, then the usage and where to read more, without the help of the argument`() {
        let message = """
            Error: Missing expected argument '<method>'
            Help:  <method>  One of chime, tone.
                             And a second line.
            Usage: thrum send <method> [--hold <hold>]
              See 'thrum send --help' for more information.
            """
        #expect(CommandLineProblem.lines(message) == [
            "Missing expected argument '<method>'", "usage: thrum send <method> [--hold <hold>]", "see thrum send --help",
        ])
    }

    @Test func `an error that has only its words stays as it is`() {
        #expect(CommandLineProblem.lines("Error: No such file or directory") == ["No such file or directory"])
        #expect(CommandLineProblem.lines("Error: two\nlines") == ["two", "lines"])
    }
}
