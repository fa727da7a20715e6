import Fields
import Testing
@testable import Tool

@Suite struct ScenarioTests {
    @Test func `requests come at the sum of the waits before them, and the last wait counts for the length`() throws {
        let scenario = try Scenario("# a visitor\ntouch phase=began\n\n500ms\n  touch phase=ended # up\n1.5s\nstop\n2s\n", name: "a")
        #expect(scenario.steps.map(\.at) == [.zero, .milliseconds(500), .seconds(2)])
        #expect(scenario.steps.map(\.line) == [2, 5, 7])
        #expect(scenario.steps.map(\.message.method) == ["touch", "touch", "stop"])
        #expect(scenario.duration == .seconds(4))
    }

    @Test(arguments: [
        ("500\n", #"a:1: expected a time such as 500ms or 2s, found "500""#),
        ("stop\n5ms 3\n", #"a:2: expected a time such as 500ms or 2s, found "5ms""#),
        ("86401s\n", #"a:1: expected a time such as 500ms or 2s, found "86401s""#),
        ("stop\n\ntouch began\n", "a:3: began: expected key=value"),
    ])
    func `a line that is neither a request nor a wait is told with its number`(text: String, expected: String) throws {
        let fault = try #require(throws: Fault.self) { try Scenario(text, name: "a") }
        #expect("\(fault)" == expected)
    }
}
