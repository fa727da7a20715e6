import Foundation
import Testing
import TestSupport

/// The hearing guard in a thrumd whose time goes faster.
@Suite struct HearingTests {
    private func daemon(speed: Int, calibration: Int, scratch: Scratch) async throws -> Daemon {
        let file = try scratch.write("hearing: {calibration: \(calibration)}\nnull-speed: \(speed)\noutput: \"null\"\n", to: "thrum.yaml")
        return try await Daemon(["--config", file], scratch: scratch)
    }

    private func hearing(_ status: [String: Any]) throws -> (level: Double?, session: Double, day: Double, volume: Double) {
        let hearing = try #require((status["house"] as? [String: Any])?["hearing"] as? [String: Any])
        return (hearing["level"] as? Double, try #require(hearing["sessionDose"] as? Double), try #require(hearing["dayDose"] as? Double),
                try #require(hearing["volume"] as? Double))
    }

    /// A sine of 1 kHz, 20 dB under full scale, where full scale is 105 dB: 85 dBA, of which 8 h make 100 % (NIOSH 98-126).
    @Test func `a steady tone's level and dose are told, and the day's dose outlasts a restart`() async throws {
        let scratch = try Scratch()
        let first = try await daemon(speed: 200, calibration: 105, scratch: scratch)
        let client = try LineSocket(first.socket)
        _ = try client.call("tone", #"{"on":true,"frequency":1000,"level":-20}"#)
        #expect(try await eventually { try self.hearing(try first.status()).session > 1.5 })
        let status = try first.status()
        let reading = try hearing(status)
        let seconds = try #require((status["session"] as? [String: Any])?["seconds"] as? Double)
        #expect(abs(try #require(reading.level) - 85) < 0.1)
        // Accounted at each tick, which is 20 s long here, and on a busy machine longer.
        #expect(reading.session <= 100 * seconds / 28_800 * 1.02 && reading.session > 50 * seconds / 28_800)
        #expect(reading.volume == 0)
        // 3 dB for each doubling of the dose, both as they are told: to a hundredth.
        let equivalent = ((status["house"] as? [String: Any])?["hearing"] as? [String: Any])?["equivalent"] as? Double
        #expect(abs(try #require(equivalent) - (85 + 3 * log2(reading.day / 100))) < 0.05)
        #expect(first.terminate() == 0)
        let second = try await daemon(speed: 1, calibration: 105, scratch: scratch)
        let kept = try hearing(try second.status())
        #expect(kept.day >= reading.day && kept.day < reading.day * 1.5 && kept.session == 0)
    }

    @Test func `a guard that comes with a reload accounts from then on, not what was heard before`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("null-speed: 200\noutput: \"null\"\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--config", file], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        func seconds() throws -> Double { (try daemon.status()["session"] as? [String: Any])?["seconds"] as? Double ?? 0 }
        _ = try client.call("tone", #"{"on":true,"frequency":1000,"level":-20}"#)
        #expect(try await eventually { try seconds() > 600 })
        let before = try seconds()
        _ = try scratch.write("hearing: {calibration: 105}\nnull-speed: 200\noutput: \"null\"\n", to: "thrum.yaml")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { ((try daemon.status()["house"] as? [String: Any])?["hearing"] as? [String: Any])?["level"] is Double })
        let day = try hearing(try daemon.status()).day
        let after = try seconds()
        #expect(day > 0 && day <= 100 * (after - before + 60) / 28_800, "\(day) % in \(after - before) s")
        #expect(daemon.terminate() == 0)
    }

    /// 100 dBA would use up a visitor's quarter of the day in 225 s.
    @Test func `a loud visitor is eased down before the limit, in steps that are in the journal`() async throws {
        let daemon = try await daemon(speed: 50, calibration: 105, scratch: try Scratch())
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"on":true,"frequency":1000,"level":-5}"#)
        #expect(try await eventually { (try daemon.status()["session"] as? [String: Any])?["seconds"] as? Double ?? 0 > 400 })
        let reading = try hearing(try daemon.status())
        #expect(reading.session > 12.5 && reading.session < 25, "\(reading)")
        #expect(reading.volume < -3)
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        let levels = journal.split(separator: "\n").filter { $0.contains(#""event":"volume""#) }.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["level"] as? Double
        }
        #expect(levels.count > 3 && levels == levels.sorted(by: >))
    }
}
