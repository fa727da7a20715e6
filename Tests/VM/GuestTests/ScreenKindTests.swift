import CUinput
import Foundation
import Testing
import TestSupport

extension GuestTests {
    /// Devices as public reports have them, each with the least that it says.
    @Suite struct ScreenKindTests {
        private static let direct = [INPUT_PROP_DIRECT]
        private static let plane: [VirtualDevice.Axis] = [.init(code: ABS_X, range: 0...2_047), .init(code: ABS_Y, range: 0...2_047)]
        private static let positionAxes: [VirtualDevice.Axis] = [
            .init(code: ABS_MT_POSITION_X, range: 0...799), .init(code: ABS_MT_POSITION_Y, range: 0...479),
        ]
        private static let slots = positionAxes + [.init(code: ABS_MT_SLOT, range: 0...9), .init(code: ABS_MT_TRACKING_ID, range: 0...65_535)]

        private func phases(_ stage: Stage) throws -> [String] { try stage.touches().compactMap { $0.fields["phase"] as? String } }

        @Test func `one finger on a screen that does not say that it is direct`() async throws {
            let screen = try VirtualDevice("Serial Touchscreen", keys: [BTN_TOUCH], axes: Self.plane)
            let stage = try await Stage()
            try #require(try await stage.isReady(screens: 1))
            screen.emit([(EV_KEY, BTN_TOUCH, 1), (EV_ABS, ABS_X, 1_000), (EV_ABS, ABS_Y, 1_600)])
            usleep(50_000)
            screen.emit([(EV_ABS, ABS_Y, 800)])
            screen.emit([(EV_KEY, BTN_TOUCH, 0)])
            #expect(try await eventually { try phases(stage) == ["began", "moved", "ended"] })
            let y = try #require(try stage.touches("began").first?.fields["y"] as? Double)
            #expect(abs(y - 1_600.0 / 2_047) < 1e-9, "\(y)")
        }

        @Test func `a finger of protocol A, which no overflow of the kernel leaves down`() async throws {
            let screen = try VirtualDevice("Protocol A", keys: [BTN_TOUCH],
                                           axes: Self.positionAxes + [.init(code: ABS_MT_TRACKING_ID, range: 0...255)], properties: Self.direct)
            func contact(_ id: Int32, _ y: Int32) -> [(type: Int32, code: Int32, value: Int32)] {
                [(EV_ABS, ABS_MT_TRACKING_ID, id), (EV_ABS, ABS_MT_POSITION_X, 400), (EV_ABS, ABS_MT_POSITION_Y, y),
                 (EV_SYN, SYN_MT_REPORT, 0)]
            }
            let stage = try await Stage()
            try #require(try await stage.isReady(screens: 1))
            screen.emit([(EV_KEY, BTN_TOUCH, 1)] + contact(0, 380))
            usleep(50_000)
            screen.emit(contact(0, 100))
            #expect(try await eventually { try phases(stage) == ["began", "moved"] })
            screen.emit([(EV_KEY, BTN_TOUCH, 0), (EV_SYN, SYN_MT_REPORT, 0)])
            #expect(try await eventually { try phases(stage) == ["began", "moved", "ended"] })
            // Nobody reads, and the kernel's buffer overflows; the finger leaves meanwhile.
            screen.emit([(EV_KEY, BTN_TOUCH, 1)] + contact(1, 380))
            #expect(try await eventually { try stage.fingers().count == 1 })
            stage.daemon.process.signal(SIGSTOP)
            for step in 0..<3_000 { screen.emit(contact(1, Int32(step % 480))) }
            screen.emit([(EV_KEY, BTN_TOUCH, 0), (EV_SYN, SYN_MT_REPORT, 0)])
            stage.daemon.process.signal(SIGCONT)
            #expect(try await eventually { try stage.fingers().isEmpty && !stage.daemon.isHeld })
            #expect(try stage.drops() > 0)
            screen.emit([(EV_KEY, BTN_TOUCH, 1)] + contact(2, 200))
            #expect(try await eventually { try stage.fingers().count == 1 })
        }

        @Test func `a contact that hovers is a finger only while it touches`() async throws {
            let screen = try VirtualDevice("Hovering", axes: Self.slots + [.init(code: ABS_MT_DISTANCE, range: 0...1)],
                                           properties: Self.direct)
            let stage = try await Stage()
            try #require(try await stage.isReady(screens: 1))
            let witness = Witness(node: screen.node)
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, 1), (EV_ABS, ABS_MT_POSITION_X, 400), (EV_ABS, ABS_MT_POSITION_Y, 200),
                         (EV_ABS, ABS_MT_DISTANCE, 1)])
            usleep(300_000)
            screen.emit([(EV_ABS, ABS_MT_DISTANCE, 0)])
            usleep(300_000)
            screen.emit([(EV_ABS, ABS_MT_DISTANCE, 1)])
            usleep(300_000)
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, -1)])
            #expect(try await eventually { try phases(stage) == ["began", "ended"] })
            // By the kernel's times, from the second packet to the third.
            let packets = witness.packets()
            let frames = try stage.touches().map(\.frame)
            try #require(packets.count == 4 && frames.count == 2)
            if try stage.lateEvents() == 0 { #expect(abs(Double(frames[1] - frames[0]) - Double(packets[2] - packets[1]) * 48e-6) <= 1) }
        }

        @Test func `a palm takes its finger back, and no tap comes of it`() async throws {
            let screen = try VirtualDevice("With Palms", axes: Self.slots + [.init(code: ABS_MT_TOOL_TYPE, range: 0...2)],
                                           properties: Self.direct)
            let stage = try await Stage()
            try #require(try await stage.isReady(screens: 1))
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, 1), (EV_ABS, ABS_MT_POSITION_X, 400), (EV_ABS, ABS_MT_POSITION_Y, 400),
                         (EV_ABS, ABS_MT_TOOL_TYPE, 0)])
            screen.emit([(EV_ABS, ABS_MT_TOOL_TYPE, 2)])
            #expect(try await eventually { try phases(stage) == ["began", "ended"] })
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, -1)])
            // The next contact is a finger, and its tap the only one.
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, 2), (EV_ABS, ABS_MT_TOOL_TYPE, 0)])
            screen.emit([(EV_ABS, ABS_MT_TRACKING_ID, -1)])
            #expect(try await eventually { try stage.journal().contains { $0.event == "tap" } })
            #expect(try stage.journal().filter { $0.event == "tap" }.count == 1)
            #expect(try phases(stage) == ["began", "ended", "began", "ended"])
        }

        @Test func `a touch driver's pointer is used, and a virtual machine's by the rule that is told`() async throws {
            let driver = try VirtualDevice("Touch Driver", keys: [BTN_LEFT], axes: Self.plane, properties: Self.direct)
            let machine = try VirtualDevice("QEMU Tablet", keys: [BTN_LEFT, BTN_RIGHT], axes: Self.plane)
            let stage = try await Stage()
            #expect(try await eventually { try stage.touchscreens() == ["Touch Driver"] })
            driver.emit([(EV_ABS, ABS_X, 100), (EV_KEY, BTN_LEFT, 1)])
            driver.emit([(EV_KEY, BTN_LEFT, 0)])
            #expect(try await eventually { try phases(stage) == ["began", "ended"] })
            func unused() throws -> [[String: Any]] {
                ((try stage.daemon.status()["devices"] as? [String: Any])?["unused"] as? [[String: Any]] ?? [])
            }
            #expect(try await eventually { try unused().contains { $0["name"] as? String == "QEMU Tablet" } })
            let rule = try #require(try unused().first { $0["name"] as? String == "QEMU Tablet" }?["rule"] as? String)
            let listed = try thrum("devices")
            #expect(listed.text.contains("QEMU Tablet") && listed.text.contains(rule), "\(listed.text)")
            let ruled = try await Stage(settings: rule)
            #expect(try await eventually { try ruled.touchscreens() == ["mouse"] })
            machine.emit([(EV_ABS, ABS_X, 100), (EV_KEY, BTN_LEFT, 1)])
            machine.emit([(EV_KEY, BTN_LEFT, 0)])
            #expect(try await eventually { try phases(ruled) == ["began", "ended"] })
        }
    }
}
