import CUinput
import Foundation
import Testing
import TestSupport

private struct Point {
    var x: Int32
    var y: Int32
}

/// Of a slot of the touchscreen: where its finger is; nil when it leaves.
private struct Change {
    var slot: Int32
    var point: Point?
}

extension GuestTests {
    @Suite struct WaysTests {
        private let arguments = ["--experience", "colorscroller"]
        /// The tenth card has something new, and the feed stands still.
        private let knob = "chance-early: 1\n"

        /// A list of packets. Between two of them 20 ms pass.
        private func gestures() -> [[Change]] {
            var packets: [[Change]] = []
            func rest(_ count: Int) { for _ in 0..<count { packets.append([]) } }
            func line(_ slot: Int32, x: Int32, from: Int32, to: Int32, steps: Int32) {
                for step in 0...steps { packets.append([Change(slot: slot, point: Point(x: x, y: from + (to - from) * step / steps))]) }
                packets.append([Change(slot: slot)])
                rest(2)
            }
            func press(_ slot: Int32, x: Int32, y: Int32, packets count: Int) {
                packets.append([Change(slot: slot, point: Point(x: x, y: y))])
                rest(count)
                packets.append([Change(slot: slot)])
                rest(2)
            }
            press(0, x: 250, y: 750, packets: 2)
            // Too slow and too short for a swipe.
            line(0, x: 400, from: 900, to: 820, steps: 20)
            press(2, x: 600, y: 600, packets: 25)
            // Two fingers at once: one swipes, one goes too far for a tap and too short for a swipe.
            for step in Int32(0)...5 {
                packets.append([Change(slot: 0, point: Point(x: 300, y: 800 - 110 * step)),
                                Change(slot: 1, point: Point(x: 700, y: 300 + 8 * step))])
            }
            packets.append([Change(slot: 0), Change(slot: 1)])
            rest(2)
            line(1, x: 300, from: 200, to: 700, steps: 4)
            // Card 10 has the first new skin. The last swipe comes in the pause after it. Half of the height is a swipe however slow the
            // machine is.
            for _ in 0..<11 { line(0, x: 500, from: 800, to: 200, steps: 4) }
            press(0, x: 250, y: 750, packets: 2)
            return packets
        }

        /// On the touchscreen, and what a page was streamed of it.
        private func play(_ page: Page, on screen: VirtualScreen) throws -> [Page.Contact] {
            var down: Set<Int32> = []
            for packet in gestures() {
                usleep(20_000)
                guard !packet.isEmpty else { continue }
                var events: [(type: Int32, code: Int32, value: Int32)] = []
                for change in packet {
                    events.append((EV_ABS, ABS_MT_SLOT, change.slot))
                    if let point = change.point {
                        if down.insert(change.slot).inserted { events.append((EV_ABS, ABS_MT_TRACKING_ID, change.slot + 1)) }
                        events += [(EV_ABS, ABS_MT_POSITION_X, point.x), (EV_ABS, ABS_MT_POSITION_Y, point.y)]
                    } else {
                        down.remove(change.slot)
                        events.append((EV_ABS, ABS_MT_TRACKING_ID, -1))
                    }
                }
                screen.device.emit(events)
            }
            return try page.contacts()
        }

        /// Each when its time has come, with the rhythm that the kernel gave it.
        private func report(_ contacts: [Page.Contact], by page: Page) throws {
            guard let first = contacts.first else { return }
            let shift = now() + 50_000_000 - first.moment
            for contact in contacts {
                let wait = contact.moment + shift - now()
                if wait > 0 { usleep(UInt32(wait / 1_000) + 1) }
                try page.report(contact, at: contact.moment + shift)
            }
        }

        /// Without when it began.
        private func header(_ stage: Stage) throws -> [String: Any] {
            try #require(try stage.lines().first).filter { !["started", "sum", "signed"].contains($0.key) }
        }

        /// A session's events with their cues up to the last finger, without what differs: who reported them, sums, and when it began. Frames
        /// are counted from the first touch.
        private func events(_ stage: Stage, from isOurs: (Int) -> Bool) throws -> [(frame: Int, event: [String: Any])] {
            let lines = try stage.journal()
            let start = try #require(lines.first { $0.event == "touch" }).frame
            let last = try #require(lines.lastIndex { $0.event == "touch" })
            return try lines[...last].map { line in
                var event = line.fields
                for field in ["frame", "due", "sum", "time", "utcOffset", "margin"] { event[field] = nil }
                if line.event == "touch.owner" { event["owner"] = nil }
                if let client = event["client"] as? Int, client != 0 {
                    try #require(isOurs(client), "\(line.fields)")
                    event["client"] = "the visitor"
                }
                return (line.frame - start, event)
            }
        }

        /// Frames are not compared, nor margins, which follow from how long each card was shown, nor is `due` of events that came late: in
        /// an emulated machine most events come later than thrumd waits for them. Elsewhere frames follow the moments, which are the same
        /// here.
        @Test func `the same gestures give the same journal, read by the engine and reported by a page, but for its sources`() async throws {
            let screen = try VirtualScreen()
            defer { screen.device.unplug() }
            let engine = try await Stage(arguments, settings: knob)
            let other = try await Stage(arguments, settings: knob + "touchscreens: {}\n")
            try #require(try await engine.isReady(screens: 1))
            let kiosk = try Page(engine, touches: "engine"), page = try Page(other, touches: "engine")
            try #require(try await eventually { try kiosk.ownerNow() == "engine" && page.ownerNow() == "page" })
            // Grabbing takes the kernel a moment.
            usleep(200_000)
            let contacts = try play(kiosk, on: screen)
            #expect(contacts.count == gestures().joined().count)
            try report(contacts, by: page)
            #expect(try await eventually { try [engine, other].allSatisfy { try $0.touches().count == contacts.count } })

            #expect(try NSDictionary(dictionary: header(engine)).isEqual(to: header(other)))
            let read = try events(engine) { $0 < 0 }, reported = try events(other) { $0 > 0 }
            #expect(read.count == reported.count)
            for (a, b) in zip(read, reported) { #expect(NSDictionary(dictionary: a.event).isEqual(to: b.event), "\(a) for \(b)") }
            func count(_ event: String) -> Int { read.count { $0.event["event"] as? String == event } }
            #expect(count("tap") >= 1 && count("swipe") == 13, "\(count("tap")), \(count("swipe"))")
            #expect(read.contains { "\($0.event["cues"] ?? "")".contains("unlock") }, "card 10 has a new skin")
            let distances = zip(read, reported).map { abs($0.frame - $1.frame) }.sorted()
            print("➜ gestures by two ways: \(read.count) events the same, in frames \(distances[distances.count / 2]) apart (median),",
                  "\(distances.last ?? 0) at most; late \(try engine.lateEvents()) and \(try other.lateEvents())")
        }
    }
}
