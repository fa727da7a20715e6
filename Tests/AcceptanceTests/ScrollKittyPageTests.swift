import Foundation
import Testing
import TestSupport

/// The page in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct ScrollKittyPageTests {
    /// In a day of 1.2 minutes, or of as many as THRUMDEV_PAGE_DAY_MINUTES says.
    @Test func `a visitor gets to know the cat, lives a day to its end, and sees the morning after`() async throws {
        let minutes = ProcessInfo.processInfo.environment["THRUMDEV_PAGE_DAY_MINUTES"].map { [$0] } ?? []
        let day = try await playPage("day.py", [repository + "/out/pages/scrollkitty"] + minutes)
        let lines = day.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(day.status == 0, "\(day.text)\(day.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 15, "\(day.text)")
    }

    @Test func `a visitor who walks up takes a cat of their own, and hears its good night`() async throws {
        let visit = try await playPage("catvisit.py", [repository + "/out/pages/scrollkitty-visit"])
        let lines = visit.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 10, "\(visit.text)")
    }
}
