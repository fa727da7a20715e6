@testable import Evdev
import NIOPosix
import Testing

@Suite struct DevicesTests {
    @Test(.timeLimit(.minutes(1))) func `a rule without a device is told of once all devices have been looked at`() async throws {
        let rules = DeviceRules(touchscreens: ["wall": TouchRule(match: DeviceMatch(name: "a screen that nobody has"))], motors: [:])
        let devices = Devices(rules, on: MultiThreadedEventLoopGroup.singleton.next(), parts: []) { _ in } switched: { _ in } changed: { _ in } noticed: { _ in }
        #expect(devices.report.missing.isEmpty)
        devices.start()
        while devices.report.missing.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(devices.report.missing == [Devices.Report.Missing(rule: "wall")])
        devices.stop()
    }
}
