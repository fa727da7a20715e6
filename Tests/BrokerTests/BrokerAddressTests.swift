import Broker
import Fields
import SystemPackage
import Testing

@Suite struct BrokerAddressTests {
    @Test(arguments: [("mqtt://hub.local", "hub.local", 1883), ("mqtts://hub.local", "hub.local", 8883), ("mqtt://10.0.0.7:1884/", "10.0.0.7", 1884),
                      ("mqtts://[fd00::1]:9000", "fd00::1", 9000), ("mqtt://[::1]", "::1", 1883)])
    func `an address has a host and a port`(text: String, host: String, port: Int) throws {
        let address = try BrokerAddress(text)
        #expect(address.host == host && address.port == port && (address.security != nil) == text.hasPrefix("mqtts"))
    }

    @Test(arguments: ["", "hub.local", "http://hub.local", "mqtt://", "mqtt://:1883", "mqtt://hub:0", "mqtt://hub:65536", "mqtt://hub:+1x", "mqtt://hub:",
                      "mqtt://user@hub", "mqtt://hub/path", "mqtt://a b", "mqtt://[::1", "mqtt://[]"])
    func `anything else is refused, and the fault says what is expected`(text: String) {
        do {
            _ = try BrokerAddress(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.expected.hasPrefix("mqtt://HOST") && error.found == "\"\(text)\"")
        }
    }

    @Test func `certificates without TLS are refused, not left unused`() throws {
        let security = BrokerAddress.Security(authorities: "ca.pem", identity: nil)
        #expect(throws: Fault.self) { try BrokerAddress("mqtt://hub", security) }
        #expect(try BrokerAddress("mqtts://hub", security).security == security)
    }

    /// No broker: port 1 of this machine has none, and a file that is not there is none.
    @Test func `where there is no broker the reason is told`() throws {
        let refused = #expect(throws: BrokerProblem.self) { _ = try BrokerConnection(to: BrokerAddress("mqtt://127.0.0.1:1"), as: "test") }
        #expect(refused?.description == "Connection refused")
        let secure = try BrokerAddress("mqtts://127.0.0.1:1", BrokerAddress.Security(authorities: "/nowhere/ca.pem"))
        #expect(throws: BrokerProblem.self) { _ = try BrokerConnection(to: secure, as: "test") }
    }
}
