import Experience
import Foundation
import Signals
import Testing
import TestSupport
import Units

/// One line of a journal, as any reader of JSON sees it.
private struct Line: Decodable {
    var frame: Int?
    var event: String?
    var phase: String?
    var frequency: Double?
    var glide: Double?
    var blocksViewed: Int?
    var name: String?
}

/// A stretch of steady tone.
private struct Stretch {
    var frames: Range<Int>
    var frequency: Double
}

/// `make run`, and everything the WAV it leaves must hold.
@Suite struct RunTests {
    @Test func `make run plays the visitor's session, and the WAV holds what the script did`() throws {
        let scratch = try Scratch()
        let finished = try run(repository + "/scripts/run", [], environment: [
            "THRUMDEV_OUT": scratch.file("out"), "THRUMDEV_BIN": Programs.directory,
            // No server of this machine's own may get in the way.
            "PULSE_SERVER": "unix:\(scratch.file("nowhere"))",
        ])
        #expect(finished.status == 0, "\(finished.errors)")
        let paths = finished.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("/") }
        let journal = try #require(paths.first { $0.hasSuffix(".jsonl") })
        let wav = try #require(paths.first { $0.hasSuffix(".wav") })
        let picture = try #require(paths.first { $0.hasSuffix(".svg") })
        #expect(finished.text.contains("http://127.0.0.1:7400/ in a browser"), "without a screen it says where the page is")
        for word in ["duration", "peak", "tone      440.0 Hz at first, 2000.0 Hz at last", "unlock × 1"] {
            #expect(finished.text.contains(word), "no \(word) in \(finished.text)")
        }
        #expect(try String(contentsOfFile: picture, encoding: .utf8).hasSuffix("</svg>\n"))

        let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let samples = try WaveFile(path: wav).samples
        #expect(samples.count == lines.last?.frame)
        #expect(samples.count > 29 * 48_000)
        try checkSilence(samples, lines)
        checkPitches(samples, lines)
        try checkChime(samples, lines)
        checkSteps(samples, lines)
    }

    /// Nothing touches and nothing rings: below −90 dBFS.
    private func checkSilence(_ samples: [Float], _ lines: [Line]) throws {
        var silent = 0
        var quietFrom = 0
        var down = 0
        for line in lines {
            let frame = try #require(line.frame)
            if down == 0, quietFrom < frame {
                let loudest = samples[quietFrom..<frame].reduce(0) { max($0, $1.magnitude) }
                #expect(loudest < 3.1623e-5, "between \(quietFrom) and \(frame)")
                silent += frame - quietFrom
            }
            switch (line.event, line.phase) {
            case ("touch", "began"): down += 1
            case ("touch", "ended"): down -= 1
            case ("stop", _): down = 0
            default: break
            }
            // 5 ms of fade, 10 ms after a stop; a chime rings for less than 3 s.
            quietFrom = max(quietFrom, frame + (line.event == "chime" ? 3 * 48_000 : 480))
        }
        #expect(silent > 5 * 48_000, "the script has seconds of silence in it")
    }

    /// Every pitch the script sets, within 0.1 %.
    private func checkPitches(_ samples: [Float], _ lines: [Line]) {
        let stretches = self.stretches(lines)
        #expect(stretches.count >= 20)
        #expect(stretches.contains { $0.frequency == 440 } && stretches.contains { $0.frequency == 1200 })
        for stretch in stretches {
            let measured = component(samples[stretch.frames], near: stretch.frequency)
            #expect(abs(measured.frequency / stretch.frequency - 1) < 0.001,
                    "\(stretch.frequency) Hz at \(stretch.frames): \(measured)")
        }
    }

    /// Where the tone is on and steady for 50 ms or more, 25 ms of ramps at each end left out, and what its pitch must be:
    /// the request's, or the curve's for the blocks viewed under the script's seed.
    private func stretches(_ lines: [Line]) -> [Stretch] {
        var stretches: [Stretch] = []
        var pitch = 240.0
        var steps = ToneSteps(.standard, seed: 1)
        var down = 0
        var from = 0
        for line in lines {
            guard let frame = line.frame else { continue }
            if down > 0, frame - from >= 4_800 {
                stretches.append(Stretch(frames: (from + 1_200)..<(frame - 1_200), frequency: pitch))
            }
            from = frame
            switch line.event {
            case "touch": down += line.phase == "began" ? 1 : line.phase == "ended" ? -1 : 0
            case "stop": down = 0
            case "tone":
                pitch = line.frequency ?? pitch
                from += Int((line.glide ?? 0) * 48_000)
            case "feed.update":
                steps.move(to: line.blocksViewed ?? 0)
                pitch = steps.pitch.rawValue
            default: break
            }
        }
        return stretches
    }

    /// E5, and 120 ms later B5, within 0.1 %.
    private func checkChime(_ samples: [Float], _ lines: [Line]) throws {
        let start = try #require(lines.first { $0.name == "unlock" }?.frame)
        let before = samples[(start + 480)..<(start + 5_700)]
        let after = samples[(start + 6_000)..<(start + 30_000)]
        let first = component(before, near: 659.2551)
        #expect(abs(first.frequency / 659.2551 - 1) < 0.001, "\(first)")
        #expect(first.amplitude > 0.08)
        let second = component(after, near: 987.7666)
        #expect(abs(second.frequency / 987.7666 - 1) < 0.001, "\(second)")
        #expect(second.amplitude > 0.03)
        // It is not there yet while the first sounds alone.
        #expect(component(before, near: 987.7666).amplitude < first.amplitude / 50)
    }

    /// No step from sample to sample that the sines themselves do not have: for the loudest the tone gets in this script
    /// (−9 dBFS), at its pitch, and for each chime's partials all at once.
    private func checkSteps(_ samples: [Float], _ lines: [Line]) {
        var pitch = 240.0
        var steps = ToneSteps(.standard, seed: 1)
        var chimeUntil = 0
        for (line, next) in zip(lines, lines.dropFirst()) {
            switch line.event {
            case "tone": pitch = max(line.frequency ?? pitch, line.glide == nil ? 0 : pitch)
            case "feed.update":
                steps.move(to: line.blocksViewed ?? 0)
                pitch = steps.pitch.rawValue
            case "chime": chimeUntil = (line.frame ?? 0) + 3 * 48_000
            default: break
            }
            guard let start = line.frame, let end = next.frame, end - start > 1 else { continue }
            // −16 dBFS each, partials at ratios 1, 2.756, 5.404 and 0, −20, −32 dB: f·(1 + 0.2756 + 0.1357).
            let chime = start < chimeUntil ? 0.1585 * 1.4113 * (1567.9817 + 987.7666) : 0
            let bound = 2 * Double.pi / 48_000 * (0.3549 * pitch * 1.01 + chime) + 2.0 / 32_768
            let largest = zip(samples[start..<end].dropFirst(), samples[start..<end]).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
            #expect(Double(largest) <= bound, "between \(start) and \(end)")
        }
    }
}
