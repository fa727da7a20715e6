import Foundation
import Testing
import TestSupport

/// Against a real PulseAudio.
@Suite(.serialized) struct PulseTests {
    @Test func `without a server it starts, says so, and connects whenever one appears`() async throws {
        let directory = try Scratch()
        let daemon = try await Daemon([], environment: PrivatePulse.environment(directory.path))
        #expect(try daemon.outputState() == "waiting")
        let status = try thrum("status", "--socket", daemon.socket)
        #expect(status.status == 1 && status.text.contains("waiting for a sound server"))
        // Sessions go on in silence.
        #expect(try LineSocket(daemon.socket).call("chime.play", #"{"name":"ding"}"#).contains(#""frame":0"#))

        let pulse = try await PrivatePulse(in: directory.path)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        pulse.kill()
        #expect(try await eventually { try daemon.outputState() == "waiting" })
        let again = try await PrivatePulse(in: directory.path)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        #expect(daemon.terminate() == 0)
        again.kill()
    }

    @Test func `the server takes the longest queue all the time, though nobody is there`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon(["--queue", "500"], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        // Four steps of the queue.
        for _ in 1...20 {
            #expect(try daemon.outputState() == "connected")
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The moment of disconnection is marked in the sound itself: another client strikes a chime at that moment.
    @Test func `a client that disconnects with a finger down is silent within 50 ms`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let recording = try pulse.record(to: directory.file("heard.raw"))
        try await Task.sleep(for: .milliseconds(500))

        let other = try LineSocket(daemon.socket)
        var visitor: LineSocket? = try LineSocket(daemon.socket)
        _ = try visitor?.call("tone", #"{"frequency":400,"level":-12}"#)
        _ = try visitor?.call("touch", #"{"phase":"began"}"#)
        try await Task.sleep(for: .seconds(1))
        try other.send(#"{"jsonrpc":"2.0","method":"chime.play","params":{"name":"ding"}}"#)
        visitor = nil
        try await Task.sleep(for: .seconds(1))
        recording.signal(SIGINT)
        _ = recording.finish()

        let heard = try rawFloats(directory.file("heard.raw"))
        // The chime (1568 Hz) begins where its component does, in steps of 5 ms.
        let blocks = stride(from: 0, to: heard.count - 480, by: 240).map { start in
            (start, component(heard[start..<(start + 480)], near: 1567.9817).amplitude)
        }
        let onset = try #require(blocks.first { $0.1 > 0.03 }?.0)
        #expect(component(heard[(onset - 9_600)..<(onset - 480)], near: 400).amplitude > 0.2)
        let after = (onset + 2_400)..<(onset + 12_000)
        #expect(component(heard[after], near: 400).amplitude < 1e-4)
        #expect(component(heard[after], near: 1567.9817).amplitude > 0.05)
        #expect(daemon.terminate() == 0)
    }

    /// Bundles are sent in the wrong order, each 100 ms ahead or more; the fades of the tone's gate begin at the frame of the touch. A
    /// machine that stands still makes single ones late. So there are up to twenty tries, until three have been as far from the earliest of
    /// their try as their times are: times misunderstood would move every one by tens of milliseconds.
    @Test func `bundles of OSC in the future sound as far apart as their times, within 2 ms`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let port = freePort()
        let daemon = try await Daemon(["--osc", "\(port)"], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        _ = try LineSocket(daemon.socket).call("tone", #"{"frequency":1000,"level":-12}"#)
        let sender = Datagrams(port: port)
        let beginnings: [Int64] = [0, 137, 400, 555]
        var lateness: [[Int]] = []
        var inTime = 0
        for _ in 0..<20 where inTime < 3 {
            let recording = try pulse.record(to: directory.file("heard.raw"))
            try await Task.sleep(for: .milliseconds(500))
            let start = wallClock() + 100_000_000
            for milliseconds in beginnings.reversed() {
                sender.send(OSCBundle(at: start + (milliseconds + 60) * 1_000_000, "/touch/ended").bytes)
                sender.send(OSCBundle(at: start + milliseconds * 1_000_000, "/touch/began").bytes)
            }
            try await Task.sleep(for: .milliseconds(1500))
            recording.signal(SIGINT)
            _ = recording.finish()
            let onsets = onsets(try rawFloats(directory.file("heard.raw")))
            // One that is so late that it ends as it begins is not heard.
            guard onsets.count == beginnings.count else { continue }
            let offsets = zip(onsets, beginnings).map { $0 - Int($1) * 48 }
            let earliest = try #require(offsets.min())
            lateness.append(offsets.map { $0 - earliest })
            inTime += offsets.filter { $0 - earliest <= 96 }.count - 1
        }
        #expect(inTime >= 3, "\(lateness) frames")
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    /// Each client is a process of its own, and prints when it has sent its last line (CLOCK_MONOTONIC). When its tone ends in what is
    /// recorded, the server says. There are up to five tries, as above.
    @Test func `a client that is killed with a finger down is silent within 50 ms, one that hangs when it said`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let script = """
            import socket, sys, time
            thrum = socket.socket(socket.AF_UNIX)
            thrum.connect(sys.argv[1])
            for call in ['"ping","params":{"timeout":500}', '"tone","params":{"frequency":1000,"level":-12}',
                         '"touch","params":{"phase":"began"}']:
                thrum.sendall(('{"jsonrpc":"2.0","method":' + call + '}\\n').encode())
            print(time.monotonic_ns(), flush=True)
            time.sleep(60)
            """
        for (isKilled, allowed) in [(true, -5.0...50.0), (false, 490...550)] {
            var end = Double.infinity
            for _ in 0..<5 where !allowed.contains(end) {
                let capture = TimedCapture(server: "unix:\(directory.path)/native")
                try await Task.sleep(for: .seconds(1))
                let client = try Running("/usr/bin/python3", ["-c", script, daemon.socket])
                #expect(try await eventually { client.output.hasSuffix("\n") })
                let sent = try #require(Int64(client.output.trimmingCharacters(in: .whitespacesAndNewlines)))
                try await Task.sleep(for: .milliseconds(200))
                client.signal(isKilled ? SIGKILL : SIGSTOP)
                let killed = monotonicClock()
                try await Task.sleep(for: .milliseconds(900))
                let (samples, moment) = capture.finish()
                client.signal(SIGKILL)
                _ = client.finish()
                let first = try #require(samples.firstIndex { $0.magnitude > 0.01 })
                let last = try #require(samples.lastIndex { $0.magnitude > 0.01 })
                #expect(last - first > 4_800, "the tone was heard before")
                end = Double(moment(last) - (isKilled ? killed : sent)) / 1e6
            }
            #expect(allowed.contains(end), "\(end) ms")
        }
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    /// When the sound was heard is what the server says to a recorder of its own. A machine that stands still makes single ones late. So
    /// there are up to twenty tries of four, until four have been in time. None may be as early as one that is not waited for: 100 ms.
    @Test func `a bundle of OSC 100 ms in the future sounds at its time, within 2 ms, in what is recorded`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let port = freePort()
        let daemon = try await Daemon(["--osc", "\(port)"], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"frequency":1000,"level":-12}"#)
        let sender = Datagrams(port: port)
        var errors: [Double] = []
        for _ in 0..<20 where errors.filter({ $0.magnitude <= 2 }).count < 4 {
            let capture = TimedCapture(server: "unix:\(directory.path)/native")
            try await Task.sleep(for: .seconds(1))
            var times: [Int64] = []
            for _ in 0..<4 {
                // In this order a machine that stands still between the two makes it late, and not early.
                times.append(monotonicClock() + 100_000_000)
                let ahead = wallClock() + 100_000_000
                sender.send(OSCBundle(at: ahead, "/touch/began").bytes)
                sender.send(OSCBundle(at: ahead + 50_000_000, "/touch/ended").bytes)
                try await Task.sleep(for: .milliseconds(300))
            }
            try await Task.sleep(for: .milliseconds(300))
            let (samples, moment) = capture.finish()
            let onsets = onsets(samples)
            guard onsets.count == times.count else { continue }
            errors += zip(onsets, times).map { Double(moment($0) - $1) / 1e6 }
        }
        #expect(errors.filter { $0.magnitude <= 2 }.count >= 4 && errors.allSatisfy { $0 > -50 }, "\(errors) ms")
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    /// Where sound begins after 10 ms of silence.
    private func onsets(_ samples: [Float]) -> [Int] {
        var onsets: [Int] = []
        var silence = 0
        for (frame, sample) in samples.enumerated() {
            if sample.magnitude > 1e-5, silence > 480 { onsets.append(frame) }
            silence = sample.magnitude > 1e-5 ? 0 : silence + 1
        }
        return onsets
    }
}
