import CUinput
import Foundation
import Testing
import TestSupport

extension GuestTests {
    @Suite struct SwitchTests {
        private let settings = """
            switches:
              buddy: {name: Test Switch, key: KEY_SPACE, use: step}
              phones: {key: SW_HEADPHONE_INSERT, use: explore}
              mat: {name: Test Switch, key: KEY_F13, use: presence}

            """

        private func switches(_ stage: Stage) throws -> [String] {
            let devices = try stage.daemon.status()["devices"] as? [String: Any]
            return (devices?["switches"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }.sorted()
        }

        private func names(_ stage: Stage) throws -> [String] {
            try stage.journal().filter { $0.event == "chime" }.compactMap { $0.fields["name"] as? String }
        }

        @Test func `a switch and a jack are read as they come and go, and no other program hears the keys`() async throws {
            let keys = try VirtualDevice("Test Switch", keys: [KEY_SPACE, KEY_F13])
            let stage = try await Stage(settings: settings)
            #expect(try await eventually { try switches(stage) == ["buddy", "mat"] })
            let jack = try VirtualDevice("Test Card Headphone", switches: [SW_HEADPHONE_INSERT])
            defer { jack.unplug() }
            #expect(try await eventually { try switches(stage) == ["buddy", "mat", "phones"] })
            let witness = Witness(node: keys.node)

            jack.emit([(EV_SW, SW_HEADPHONE_INSERT, 1)])
            #expect(try await eventually { try names(stage) == ["explore-on"] })
            jack.emit([(EV_SW, SW_HEADPHONE_INSERT, 0)])
            #expect(try await eventually { try names(stage) == ["explore-on", "explore-off"] })

            keys.emit([(EV_KEY, KEY_SPACE, 1)])
            #expect(try await eventually { try names(stage).count == 3 && names(stage).last == "explore-on" })
            keys.emit([(EV_KEY, KEY_SPACE, 0)])
            keys.emit([(EV_KEY, KEY_F13, 1)])
            let socket = try LineSocket(stage.daemon.socket)
            func isNoticed() throws -> Bool { try socket.call("subscribe", #"{"topics":[]}"#).contains(#""isNoticed":true"#) }
            #expect(try await eventually { try isNoticed() })
            #expect(witness.packets().isEmpty)

            keys.unplug()
            #expect(try await eventually { try switches(stage) == ["phones"] && !isNoticed() })
            let again = try VirtualDevice("Test Switch", keys: [KEY_SPACE, KEY_F13])
            defer { again.unplug() }
            #expect(try await eventually { try switches(stage) == ["buddy", "mat", "phones"] })
        }
    }
}
