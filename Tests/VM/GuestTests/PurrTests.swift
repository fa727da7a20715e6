import CUinput
import Foundation
import Testing
import TestSupport

extension GuestTests {
    @Suite struct PurrTests {
        /// In hertz, by the times from one to the next: half of them are longer.
        private func rate(_ plays: [VirtualPad.Entry]) -> Double {
            let periods = zip(plays, plays.dropFirst()).map { $1.moment - $0.moment }.sorted()
            return periods.isEmpty ? 0 : 1e9 / Double(periods[periods.count / 2])
        }

        /// A healthy cat's, 0.6 strong: of an effect of a sine's device, and of a rumble's.
        private func isPurr(_ entry: VirtualPad.Entry) -> Bool { [19_660, 39_321].contains(entry.effect?.strength) }

        @Test func `a stroked cat is felt at its purr's rate on a sine and on a rumble motor, as soon as the touch is`() async throws {
            let screen = try VirtualScreen()
            let (sine, rumble) = (try VirtualPad.sine(), try VirtualPad.rumble())
            defer { for pad in [sine, rumble] { pad.device.unplug() } }
            let stage = try await Stage(["--experience", "scrollkitty"])
            try #require(try await stage.isReady(screens: 1, motors: 2, effects: 16))
            // The first touch of the day is welcomed, which is felt, too.
            screen.down(id: 1)
            screen.up()
            usleep(700_000)
            let witness = Witness(screen)
            var delays: [(down: Double, purr: Double)] = []
            for id in 2...4 {
                let uploads = sine.log.filter { $0.kind == .upload }.count
                let before = sine.plays.count
                screen.down(id: Int32(id))
                #expect(try await eventually { sine.plays.count >= before + 2 })
                // 26 pulses a second: about forty.
                if id == 4 { usleep(1_450_000) }
                screen.up()
                #expect(try await eventually { sine.log.last { isPurr($0) }?.kind == .stop })
                let touched = try #require(witness.packets().first)
                let plays = Array(sine.plays.dropFirst(before).prefix(2))
                // The touch first and the purr next to it: both are ready, and both are one write of the same thread.
                #expect(plays.map(\.effect?.strength) == [11_468, 19_660] && sine.log.filter { $0.kind == .upload }.count == uploads)
                delays.append((Double(plays[0].moment - touched) / 1e6, Double(plays[1].moment - touched) / 1e6))
            }
            print("touch to touch-down and to purr, in ms:", delays.map { "\($0.down) \($0.purr)" }.joined(separator: ", "))
            // Nothing but the second write is between them: less than between the two pads, whose writes wait for each other.
            #expect(delays.allSatisfy { $0.purr >= $0.down } && (delays.map { $0.purr - $0.down }.min() ?? 99) < 5)
            let effect = try #require(sine.plays.first { isPurr($0) }?.effect)
            print("the sine's period:", effect.period, "ms")
            #expect(effect.type == FF_PERIODIC && abs(1_000 / Double(effect.period) - 26) <= 1)
            let pulses = rumble.plays.filter { isPurr($0) }.suffix(30)
            print("the rumble motor's pulses a second:", rate(Array(pulses)))
            #expect(pulses.count == 30 && abs(rate(Array(pulses)) - 26) <= 1)
            #expect(pulses.allSatisfy { $0.effect?.type == FF_RUMBLE && $0.effect?.length == 23 })
            #expect(Set(rumble.plays.filter { isPurr($0) }.map(\.id)).count == 1, "one slot")
        }

        @Test func `a purr ends with its request, a stop, its client, its device and the daemon, and not with mute`() async throws {
            var pads = [try VirtualPad.sine(), try VirtualPad.rumble()]
            defer { for pad in pads { pad.device.unplug() } }
            let stage = try await Stage()
            try #require(try await stage.isReady(motors: 2))
            var client: LineSocket? = try LineSocket(stage.daemon.socket)
            func hold(_ on: Bool) throws { _ = try client?.call("texture.set", #"{"name":"purr-healthy","on":\#(on)}"#) }
            func isFelt(by pad: VirtualPad) -> Bool { pad.log.last { isPurr($0) }?.kind == .play }
            /// Each is stopped, or its last pulse is over and no other comes.
            func hasEnded() async throws -> Bool {
                guard try await eventually({ !isFelt(by: pads[0]) }) else { return false }
                let plays = pads.map(\.plays.count)
                usleep(150_000)
                return pads.map(\.plays.count) == plays
            }
            func begins() async throws -> Bool {
                let before = pads.map(\.plays.count)
                try hold(true)
                return try await eventually { pads[0].plays.count > before[0] && pads[1].plays.count > before[1] + 1 }
            }
            #expect(try await begins())
            try stage.send("output.mute", #"{"on":true}"#)
            let muted = pads[1].plays.count
            #expect(try await eventually { pads[1].plays.count > muted + 1 }, "what is felt is not muted")
            try hold(false)
            #expect(try await hasEnded())
            #expect(try await begins())
            try stage.send("stop", "{}")
            #expect(try await hasEnded())
            #expect(try await begins())
            client = nil
            #expect(try await hasEnded())
            client = try LineSocket(stage.daemon.socket)
            #expect(try await begins())
            for pad in pads { pad.device.unplug() }
            #expect(try await eventually { try stage.motors().isEmpty })
            pads = [try VirtualPad.sine(), try VirtualPad.rumble()]
            try #require(try await stage.isReady(motors: 2))
            // What is plugged in does not begin in mid-purr, and has the next one.
            #expect(pads.allSatisfy { $0.plays.isEmpty })
            try hold(false)
            #expect(try await begins())
            stage.daemon.process.signal(SIGTERM)
            _ = stage.daemon.process.finish()
            #expect(try await eventually { pads.allSatisfy { $0.count == 0 } })
            let log = pads[0].log
            #expect(log.last { isPurr($0) && $0.kind != .erase }?.kind == .stop)
        }
    }
}
