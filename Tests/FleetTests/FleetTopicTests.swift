import Fields
import Fleet
import Testing

@Suite struct FleetTopicTests {
    private let hall = StationName("hall-3")!

    @Test func `a topic is read back as it was written`() {
        for topic in [FleetTopic.rows(hall), .committed(hall), .state(hall), .reported(hall), .closed(hall), .kept(hall), .hub] { #expect(FleetTopic(topic.text) == topic) }
        #expect(FleetTopic.rows(hall).text == "thrum/v1/hall-3/rows")
        #expect(FleetTopic.committed(hall).text == "thrum/v1/hall-3/committed")
        #expect(FleetTopic.reported(hall).text == "thrum/v1/hall-3/reported")
    }

    @Test(arguments: ["", "thrum/v1", "thrum/v1/", "thrum/v2/hall-3/rows", "thrum/v1/hall-3", "thrum/v1/hall-3/rows/more", "thrum/v1/Hall/rows",
                      "thrum/v1//rows", "thrum/v1/hall-3/other", "x/thrum/v1/hall-3/rows"])
    func `other topics are none of the fleet's`(text: String) { #expect(FleetTopic(text) == nil) }

    @Test func `a station named hub has topics of its own`() {
        let hub = StationName("hub")!
        #expect(FleetTopic.state(hub).text == "thrum/v1/hub/state" && FleetTopic("thrum/v1/hub/state") == .state(hub))
    }

    @Test(arguments: ["", "Hall", "hall 3", "hall/3", "hall+", "häll", String(repeating: "a", count: 65)])
    func `a name that does not fit into a topic is refused`(text: String) { #expect(StationName(text) == nil) }
}

@Suite struct StationStateTests {
    private func state(_ isAlive: Bool, _ connection: Int) -> StationState { StationState(isAlive: isAlive, connection: connection, version: "1") }

    @Test func `a state is read back as it was written`() throws {
        #expect(try StationState(state(true, 7).payload) == state(true, 7))
        #expect(String(decoding: state(false, 7).payload, as: UTF8.self) == #"{"alive":false,"bdSeq":7,"version":"1"}"#)
    }

    @Test func `a death counts for its own connection alone`() {
        #expect(state(false, 5).counts(after: state(true, 5)))
        #expect(!state(false, 5).counts(after: state(true, 6)), "the will of an earlier connection came late")
        #expect(!state(false, 5).counts(after: state(false, 5)), "nothing new")
        #expect(state(false, 5).counts(after: nil))
    }

    @Test func `a birth always counts, also of a station that has lost its numbers`() {
        #expect(state(true, 6).counts(after: state(true, 5)))
        #expect(state(true, 1).counts(after: state(true, 900)))
        #expect(state(true, 5).counts(after: state(false, 5)))
    }

    @Test(arguments: [#"{"alive":true,"version":"1"}"#, #"{"alive":1,"bdSeq":1,"version":"1"}"#, #"{"alive":true,"bdSeq":0,"version":"1"}"#,
                      #"{"alive":true,"bdSeq":1,"version":"\u0000"}"#, #"{"alive":true,"bdSeq":1,"version":"1","more":1}"#, "[]", "x", ""])
    func `a payload that is wrong is refused`(text: String) { #expect(throws: Fault.self) { try StationState(Array(text.utf8)) } }
}
