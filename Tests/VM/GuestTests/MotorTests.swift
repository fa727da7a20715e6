import CUinput
import Foundation
import Synchronization
import Testing
import TestSupport

extension GuestTests {
    @Suite struct MotorTests {
        @Test func `a swipe is two effects, as long, as strong and as far apart as the pattern says, with the device's gain`() async throws {
            let pad = try VirtualPad.sine()
            defer { pad.device.unplug() }
            let stage = try await Stage(settings: "motors: {pad: {name: Test*, gain: 0.5}}")
            try #require(try await stage.isReady(motors: 1))
            #expect(pad.log.first { $0.kind == .gain }?.id == 32_768)
            // A machine that is held up in between plays the second late.
            for attempt in 1...5 {
                try stage.send("swipe", "{}")
                #expect(try await eventually { pad.plays.count == 2 * attempt })
                let plays = pad.plays.suffix(2)
                // 0.7 and 0.5 of 32,767 at 250 Hz; three time constants of one and a half periods are 18 ms.
                #expect(plays.map(\.effect?.strength) == [22_937, 16_384])
                for effect in plays.compactMap(\.effect) {
                    #expect(effect.type == FF_PERIODIC && effect.length == 18 && effect.fade == 18 && effect.period == 4)
                }
                let distance = Double(plays.last!.moment - plays.first!.moment) / 1e6
                if abs(distance - 60) <= 2 { return }
            }
            Issue.record("five times the second tap was not 60 ms after the first")
        }

        @Test func `a rumble device plays what comes nearest, and gain makes it weaker where it has none of its own`() async throws {
            let pad = try VirtualPad.rumble()
            defer { pad.device.unplug() }
            let stage = try await Stage(settings: "motors: {pad: {gain: 0.5}}")
            try #require(try await stage.isReady(motors: 1))
            try stage.send("swipe", "{}")
            #expect(try await eventually { pad.plays.count == 2 })
            // Sharp: the light motor alone, 0.7 and 0.5 of 65,535, by half; no shorter than a motor needs to get going.
            #expect(pad.plays.map(\.effect?.weak) == [22_937, 16_384])
            #expect(pad.plays.allSatisfy { $0.effect?.strength == 0 && $0.effect?.length == 30 && $0.effect?.type == FF_RUMBLE })
        }

        @Test func `two effect slots are enough for twenty patterns`() async throws {
            let pad = try VirtualPad.sine(effects: 2)
            defer { pad.device.unplug() }
            let patterns = try Scratch()
            for number in 1...20 {
                _ = try patterns.write(#"""
                    {"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[
                      {"ParameterID":"HapticIntensity","ParameterValue":\#(Double(number) / 20)}]}}]}
                    """#, to: "p\(number).ahap")
            }
            let stage = try await Stage(["--patterns", patterns.path])
            try #require(try await stage.isReady(motors: 1, effects: 2))
            for number in 1...20 {
                try stage.send("haptic.play", #"{"name":"p\#(number)"}"#)
                #expect(try await eventually { pad.plays.count == number })
                #expect(pad.plays.last?.effect?.strength == Int((Double(number) / 20 * 32_767).rounded()))
                #expect(pad.count <= 2)
            }
            let motor = try #require(try stage.motors().first)
            #expect(motor["missed"] as? Int == 0 && motor["issue"] == nil)
        }

        @Test func `a pattern that comes with its event is felt, whoever wrote its format`() async throws {
            let pad = try VirtualPad.sine()
            defer { pad.device.unplug() }
            let stage = try await Stage()
            try #require(try await stage.isReady(motors: 1))
            try stage.send("haptic.play", #"{"pattern":[{"time":0,"duration":0.4,"intensity":0.25,"sharpness":0.5}]}"#)
            #expect(try await eventually { pad.plays.count == 1 })
            // A quarter of 32,767.
            #expect(pad.plays.last?.effect?.strength == 8_192)
            try stage.send("haptic.play", #"{"ahap":{"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[{"ParameterID":"HapticIntensity","ParameterValue":0.75}]}}]}}"#)
            #expect(try await eventually { pad.plays.count == 2 })
            #expect(pad.plays.last?.effect?.strength == 24_575)
        }

        @Test func `a hundred patterns, more than there are slots for, leave no effect behind, and none is endless`() async throws {
            let pad = try VirtualPad.sine(effects: 4)
            defer { pad.device.unplug() }
            let stage = try await Stage()
            try #require(try await stage.isReady(motors: 1))
            for number in 0..<100 {
                let name = ["touch-down", "touch-up", "swipe", "unlock"][number % 4]
                let before = pad.plays.count
                try stage.send("haptic.play", #"{"name":"\#(name)"}"#)
                #expect(try await eventually { pad.plays.count == before + (number % 4 < 2 ? 1 : 2) })
            }
            #expect(pad.count == 4)
            #expect(pad.log.filter { $0.kind == .upload }.count > 50)
            #expect(pad.log.filter { $0.kind == .upload }.allSatisfy { $0.effect?.length ?? 0 > 0 })
        }

        @Test func `what is felt ends with the daemon, softly or not, and its effects are erased`() async throws {
            for signal in [SIGTERM, SIGKILL] {
                let pad = try VirtualPad.sine()
                let stage = try await Stage()
                try #require(try await stage.isReady(motors: 1))
                try stage.send("haptic.play", #"{"pattern":[{"time":0,"duration":20,"intensity":1,"sharpness":0.5}]}"#)
                #expect(try await eventually { pad.plays.count == 1 })
                stage.daemon.process.signal(signal)
                _ = stage.daemon.process.finish()
                #expect(try await eventually { pad.count == 0 }, "\(pad.log)")
                // The kernel stops and erases one after the other; we stop all that is felt first.
                let last = try #require(pad.plays.last).id
                let stopped = pad.log.prefix { $0.kind != .erase }.contains { $0.kind == .stop && $0.id == last }
                #expect(stopped == (signal == SIGTERM))
                // It does not look for devices any more.
                #expect(stage.daemon.process.errors.split(separator: "\n").filter { $0.contains("plays patterns") }.count == 1)
                pad.device.unplug()
            }
        }

        @Test func `a pad unplugged in mid-effect is forgotten, and plays when it is plugged in again`() async throws {
            var pad = try VirtualPad.sine()
            let stage = try await Stage()
            try #require(try await stage.isReady(motors: 1))
            try stage.send("haptic.play", #"{"name":"unlock"}"#)
            #expect(try await eventually { pad.plays.count == 2 })
            pad.device.unplug()
            #expect(try await eventually { try stage.motors().isEmpty })
            try stage.send("haptic.play", #"{"name":"unlock"}"#)
            pad = try VirtualPad.sine()
            defer { pad.device.unplug() }
            try #require(try await stage.isReady(motors: 1))
            try stage.send("haptic.play", #"{"name":"unlock"}"#)
            #expect(try await eventually { pad.plays.count == 2 })
        }

        @Test func `several pads play the same, each in its way, and patterns that overlap are mixed`() async throws {
            let pads = [try VirtualPad.sine(), try VirtualPad.rumble()]
            defer { for pad in pads { pad.device.unplug() } }
            // A piece's own patterns are ready before others.
            let stage = try await Stage(["--experience", "colorscroller"])
            try #require(try await stage.isReady(motors: 2))
            try stage.send("haptic.play", #"{"name":"unlock"}"#)
            try stage.send("haptic.play", #"{"name":"surprise"}"#)
            for pad in pads {
                #expect(try await eventually { pad.plays.count == 5 })
                #expect(!pad.log.contains { $0.kind == .stop })
            }
        }

        @Test(arguments: [(0, EBUSY), (0, EINVAL), (500_000, 0)] as [(UInt32, Int32)])
        func `a device that refuses uploads, or takes half a second, delays no touch`(delay: UInt32, error: Int32) async throws {
            let isRefusing = Mutex(true)
            let screen = try VirtualScreen()
            let bad = try VirtualPad.sine("Bad Pad", delay: delay) { isRefusing.withLock { $0 } ? error : 0 }
            let good = try VirtualPad.sine()
            defer { for pad in [bad, good] { pad.device.unplug() } }
            let stage = try await Stage(settings: "motors: {bad: {name: Bad*}, good: {name: Test*}}")
            #expect(try await eventually { try stage.touchscreens().count == 1 && stage.motors().count == 2 && good.count == 16 }, "all its slots")
            let witness = Witness(screen)
            for id in 1...10 {
                screen.down(id: Int32(id))
                usleep(50_000)
                screen.up()
                usleep(50_000)
            }
            #expect(try await eventually { try stage.touches("ended").count == 10 })
            let packets = witness.packets(), touches = try stage.touches()
            let first = try #require(packets.first)
            for (packet, touch) in zip(packets, touches) {
                // What waits for an upload would come half a second late; what the machine itself is held up by is less.
                #expect(abs(Double(touch.frame) / 48_000 - Double(packet - first) / 1e9) < 0.2)
            }
            #expect(try await eventually { good.plays.count >= 20 })
            // What waited too long is left out, not played in a heap.
            let bads = bad.plays.map(\.moment)
            #expect(bads.allSatisfy { play in packets.contains { (0..<200_000_000).contains(play - $0) } })
            guard error != 0 else { return }
            #expect(try stage.daemon.status().description.contains("it refuses effects"))
            isRefusing.withLock { $0 = false }
            #expect(try await eventually { bad.count == 16 })
        }

        @Test func `a motor that needs time is started earlier, so that it is felt when the sound is heard`() async throws {
            let pads = [try VirtualPad.sine("Quick"), try VirtualPad.sine("Slow")]
            defer { for pad in pads { pad.device.unplug() } }
            let stage = try await Stage(settings: "motors: {quick: {name: Quick, latency: 0}, slow: {name: Slow, latency: 500}}")
            try #require(try await stage.isReady(motors: 2))
            let latency = (try stage.daemon.status()["output"] as? [String: Any])?["latency"] as? [String: Any]
            let lead = try #require(latency?["touchToSoundMilliseconds"] as? Double)
            // A machine that is held up in between plays one of them late.
            for attempt in 1...5 {
                try stage.send("haptic.play", #"{"name":"touch-down"}"#)
                #expect(try await eventually { pads.allSatisfy { $0.plays.count == attempt } })
                let distance = Double(pads[0].plays.last!.moment - pads[1].plays.last!.moment) / 1e6
                if abs(distance - lead) < 3 { return }
            }
            Issue.record("five times the one without latency was not \(lead) ms after the other")
        }

        @Test func `a stop ends what is felt, and what was to come`() async throws {
            let pad = try VirtualPad("Test Push", forces: [FF_CONSTANT])
            defer { pad.device.unplug() }
            let stage = try await Stage()
            try #require(try await stage.isReady(motors: 1, effects: 6))
            let pattern = #"{"time":0,"duration":20,"intensity":1,"sharpness":0.5},{"time":3,"intensity":1,"sharpness":1}"#
            try stage.send("haptic.play", "{\"pattern\":[\(pattern)]}")
            #expect(try await eventually { pad.plays.count == 1 })
            try stage.send("stop", "{}")
            #expect(try await eventually { pad.log.contains { $0.kind == .stop } })
            usleep(3_500_000)
            #expect(pad.plays.count == 1)
            #expect(pad.plays.allSatisfy { $0.effect?.type == FF_CONSTANT })
        }

        @Test func `without a haptic device nothing fails, and status says so`() async throws {
            let stage = try await Stage()
            try stage.send("haptic.play", #"{"name":"unlock"}"#)
            let status = try thrum("status", "--socket", stage.daemon.socket)
            #expect(status.status == 0 && status.text.contains("no haptic device"))
        }

        @Test func `a pattern is played on a device of choice from the command line`() async throws {
            let pad = try VirtualPad.sine()
            let other = try VirtualPad.rumble()
            defer { for pad in [pad, other] { pad.device.unplug() } }
            let played = try thrum("haptic", "swipe", "--device", "Test Pad")
            #expect(played.status == 0, "\(played.errors)")
            #expect(pad.plays.count == 2 && other.plays.isEmpty && pad.count == 0)
            #expect(try thrum("haptic", "swipe", "--device", other.device.node).status == 0)
            #expect(other.plays.count == 2)
            let missing = try thrum("haptic", "swipe", "--device", "nothing")
            #expect(missing.status == 69 && missing.errors.contains("Test Pad"))
            let listed = try thrum("devices")
            #expect(listed.text.contains("Test Pad") && listed.text.contains("sine"))
        }
    }
}
