import Foundation
import Glibc
import Testing
import TestSupport

/// What leaves a sound card, with the kernel's own driver: QEMU writes down what its DMA was given.
extension GuestTests {
    @Suite(.serialized, .enabled(if: Capture.hda != nil, "run-in-vm -s gives the guest sound cards")) struct CardTests {
        /// 60 s of 330 events by hand: run-in-vm -e GUEST_CARD_EVENTS=330.
        private static let events = ProcessInfo.processInfo.environment["GUEST_CARD_EVENTS"].flatMap { Int($0) } ?? 40

        /// QEMU's codec throws whole buffers of 2,048 frames away when the host keeps it from running for 43 ms: frames that left the card and
        /// are not written down. Then it is played again, three times at most, and so it is where the journal says that the first sound itself was
        /// late, because then there is nothing to align the rest by. Nothing else may ever be wrong, and one run is right from its beginning
        /// to its end.
        @Test func `what leaves the card is what is rendered to 16 bits, and a stop of 150 ms is not heard`() async throws {
            let capture = try #require(Capture.hda)
            let device = try await GuestCard.hda.plugIn()
            for _ in 1...3 {
                let faults = try await play(on: device, capture)
                if faults.isEmpty { return }
                if faults.contains(where: { $0.kind == .unaligned }) { continue }
                let slips = faults.filter { $0.kind == .slip }.map(\.frames)
                let others = faults.filter { fault in
                    fault.kind != .slip && !slips.contains { abs($0.lowerBound - fault.frames.lowerBound) < 4 * 2_048 }
                }
                try #require(others.isEmpty && !slips.isEmpty, "\(faults)")
            }
            Issue.record("each of three runs was spoilt by the host")
        }

        private func play(on device: String, _ capture: Capture) async throws -> [Comparison.Fault] {
            let start = capture.length
            let daemon = try await Daemon(["--output", "alsa:" + device, "--seed", "3"])
            try #require(try await eventually { try daemon.outputState() == "connected" })
            usleep(1_000_000)
            let client = try LineSocket(daemon.socket)
            // Not heard. A program that is new to its processor is late for its first change, and the comparison begins with the first sound.
            _ = try client.call("texture.set", #"{"name":"purr-healthy","on":false}"#)
            _ = try client.call("tone", #"{"frequency":400,"level":-120}"#)
            // Held all the time: what is revised has the same noise again.
            _ = try client.call("texture.set", #"{"name":"purr-healthy","on":true}"#)
            var visitor = Visitor(seed: 11)
            for number in 1...Self.events {
                let (method, parameters) = number <= 20 ? finger(number) : visitor.act()
                let reply = try client.ask(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(parameters)}"#)
                #expect(reply.contains(#""result":"#), "\(reply)")
                usleep(UInt32(visitor.random(182_000)))
                if number % 10 == 0 {
                    daemon.process.signal(SIGSTOP)
                    usleep(150_000)
                    daemon.process.signal(SIGCONT)
                    usleep(50_000)
                }
            }
            let output = try #require(try daemon.status()["output"] as? [String: Any])
            #expect(daemon.terminate() == 0)
            usleep(300_000)

            let journal = try #require(daemon.journals.first)
            let rendered = daemon.scratch.file("rendered.wav")
            #expect(try thrum("render", journal, "-o", rendered, "--bits", "16").status == 0)
            let expected = words(in: try WaveFile(path: rendered).data, of: UInt16.self)
            let frames = try capture.frames(from: start)
            #expect(frames.allSatisfy { $0 & 0xFFFF == $0 >> 16 }, "both speakers get the sound")
            // The last few frames may not be written down yet, and are silent.
            let heard = frames.map { $0 & 0xFFFF } + Array(repeating: 0, count: 48_000)
            let discontinuities = try Comparison.discontinuities(in: journal)
            let comparison = Comparison(heard: heard, expected: expected, discontinuities: discontinuities)
            let excused = discontinuities.reduce(0) { $0 + $1.count }
            print("➜ card: \(Self.events) events, \(expected.count) frames, \(excused) in \(discontinuities.count) discontinuities,",
                  "faults \(comparison.faults), underruns \(output["underruns"] ?? ""), latency \(output["latency"] ?? "")")
            #expect(output["underruns"] as? Int == 0)
            #expect((output["rewrites"] as? Int ?? 0) >= 5)
            // What is excused is not what is proved.
            #expect(excused < expected.count / 20)
            return comparison.faults
        }

        /// Ten come down, one after the other, and then they go.
        private func finger(_ number: Int) -> (method: String, parameters: String) {
            number <= 10 ? ("touch", #"{"phase":"began","id":\#(number),"x":0.5,"y":0.5}"#)
                : ("touch", #"{"phase":"ended","id":\#(number - 10)}"#)
        }

        @Test(arguments: GuestCard.allCases)
        func `a card that is busy or gone is told, and played on as soon as it can be`(card: GuestCard) async throws {
            let device = try await card.plugIn()
            let first = try await Daemon(["--output", "alsa:" + device])
            try #require(try await eventually { try first.outputState() == "connected" })
            let rate = try LineSocket(first.socket).call("setting.list")
            #expect(rate.contains(#""key":"rate","place":"\#(device)","source":"card","unit":"Hz","value":"48000""#), "\(rate)")
            let second = try await Daemon(["--output", "alsa:" + device])
            #expect(try await eventually { try second.issue().contains("\(device) is busy") })
            #expect(first.terminate() == 0)
            let free = try await seconds { try second.outputState() == "connected" }
            #expect(free < 60)

            try card.unplug()
            #expect(try await eventually { try second.issue().contains("there is no \(device), expected ") })
            try card.plugBack()
            let back = try await seconds { try second.outputState() == "connected" }
            #expect(back < 60)
            print("➜ \(card): played on after \(free) s when it was free, after \(back) s when it was back")
            #expect(try second.issue() == "")
        }
    }
}

extension Daemon {
    /// Why there is no sound; empty when there is.
    fileprivate func issue() throws -> String { (try status()["output"] as? [String: Any])?["issue"] as? String ?? "" }
}

/// How long it takes until `isSo`, looked at often; 60 where it never is.
private func seconds(_ isSo: () throws -> Bool) async throws -> Double {
    let start = ContinuousClock.now
    while try !isSo() {
        guard ContinuousClock.now - start < .seconds(60) else { return 60 }
        try await Task.sleep(for: .milliseconds(20))
    }
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// Whole numbers one after the other. By pointers, because the guest is slow.
private func words<Word: FixedWidthInteger & BitwiseCopyable>(in data: Data, of _: Word.Type) -> [UInt32] {
    data.withUnsafeBytes { bytes in
        (0..<bytes.count / MemoryLayout<Word>.size).map {
            UInt32(bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Word>.size, as: Word.self))
        }
    }
}

/// A WAV that QEMU writes as the card plays: 16 bits, stereo, behind a header of 44 bytes.
private struct Capture {
    static let hda = ProcessInfo.processInfo.environment["GUEST_HDA_WAV"].map { Capture(path: $0) }

    let path: String

    /// Bytes so far.
    var length: Int { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0 }

    /// Each as one number, the left speaker's sample in its lower half.
    func frames(from start: Int) throws -> [UInt32] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return words(in: data.dropFirst(44 + (max(44, start) - 44) / 4 * 4), of: UInt32.self)
    }
}

/// A sound card of the guest, which can be pulled out and put back.
enum GuestCard: CaseIterable {
    case hda, usb

    /// Loads its drivers, and returns its name in ALSA.
    func plugIn() async throws -> String {
        for module in self == .hda ? ["snd-hda-codec-generic", "snd-hda-intel"] : ["xhci-pci", "snd-usb-audio"] {
            let modprobe = try Running("modprobe", [module]).finish()
            guard modprobe.status == 0 else { throw Refused(description: modprobe.errors) }
        }
        guard try await eventually({ try self.identifier() != nil }), let identifier = try identifier() else {
            throw Refused(description: "the card \(self) does not come")
        }
        return "hw:CARD=\(identifier)"
    }

    func unplug() throws {
        switch self {
        case .hda: try write(try slot(), to: "/sys/bus/pci/drivers/snd_hda_intel/unbind")
        case .usb: try write("0", to: "/sys/bus/usb/devices/\(try slot())/authorized")
        }
    }

    func plugBack() throws {
        switch self {
        case .hda: try write(try slot(), to: "/sys/bus/pci/drivers/snd_hda_intel/bind")
        case .usb: try write("1", to: "/sys/bus/usb/devices/\(try slot())/authorized")
        }
    }

    /// ALSA's, of the card that is there.
    private func identifier() throws -> String? {
        let folder = "/proc/asound"
        for card in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where card.hasPrefix("card") {
            guard FileManager.default.fileExists(atPath: "\(folder)/\(card)/id"),
                  FileManager.default.fileExists(atPath: "\(folder)/\(card)/usbid") == (self == .usb) else { continue }
            return try String(contentsOfFile: "\(folder)/\(card)/id", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return nil
    }

    /// Its place on its bus, by the vendor and device that QEMU gives: Intel's ICH6; its own USB audio.
    private func slot() throws -> String {
        let (devices, file, value) = self == .hda ? ("/sys/bus/pci/devices", "device", "0x2668") : ("/sys/bus/usb/devices", "idProduct", "0002")
        for device in try FileManager.default.contentsOfDirectory(atPath: devices)
        where (try? String(contentsOfFile: "\(devices)/\(device)/\(file)", encoding: .utf8))?.hasPrefix(value) == true
            && (self == .hda || !device.hasPrefix("usb")) { return device }
        throw Refused(description: "there is no card \(self) on its bus")
    }

    private func write(_ text: String, to file: String) throws {
        let descriptor = open(file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw Refused(description: "\(file): \(String(cString: strerror(errno)))")
        }
    }
}
