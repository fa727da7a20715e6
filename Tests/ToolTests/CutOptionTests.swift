import Offline
import Testing
import Units
@testable import Tool

@Suite struct CutOptionTests {
    @Test(arguments: [("0", 0.0), ("12.5", 12.5), ("90", 90), ("1:30", 90), ("1:30.25", 90.25), ("1:02:03", 3_723), ("100:00", 6_000)])
    func `a moment is seconds, minutes or hours`(word: String, seconds: Double) {
        #expect(SessionPoint(argument: word) == .time(Seconds(seconds)))
    }

    @Test(arguments: [
        ([], ""), (["--from", "90", "--to", "1:45.5"], "-from-1m30s-to-1m45.5s"), (["--to", "1:02:03"], "-to-1h02m03s"), (["--from", "0"], "-from-0m00s"),
        (["--mark", "she laughs / twice"], "-mark-she-laughs-twice"), (["--from", "../x"], "-from-x"),
    ])
    func `a part has a name of its own, fit for a file`(words: [String], suffix: String) throws {
        #expect(try CutOption.parse(words).nameSuffix == suffix)
    }

    @Test(arguments: ["intro", "1:75", "1:60:00", "-5", "1e3", "", "12s", "0x10", "nan", "1:", "9999999999"])
    func `what is no time is a mark's text`(word: String) {
        #expect(SessionPoint(argument: word) == .mark(word))
    }
}
