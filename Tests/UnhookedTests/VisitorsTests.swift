import Experience
import Foundation
import Offline
import Signals
import Testing
@testable import Unhooked
import Units

@Suite struct VisitorsTests {
    /// THRUMDEV_DAYS sets how long each is lived with the pet, 180 for the whole.
    private static let days = ProcessInfo.processInfo.environment["THRUMDEV_DAYS"].flatMap { Int($0) } ?? 30

    private func live(_ profile: UserProfile) -> (days: [DayOver], health: [Health], report: String) {
        var simulation = Simulation(Unhooked.self, profile.declaration, seed: 11, turns: Self.days, idle: Seconds(45))
        var announcements: [Announcement] = []
        while let step = simulation.next() { announcements += step.announcements }
        var statistics = UnhookedStatistics()
        for announcement in announcements { statistics.add(announcement) }
        return (announcements.compactMap { $0.body as? DayOver }, announcements.compactMap { ($0.body as? HealthChange)?.health },
                statistics.report.lines.map(\.text).joined(separator: "\n"))
    }

    @Test func `who is careful keeps the pet well, and who is hooked loses it`() {
        let (restrained, hooked) = (live(.restrained), live(.hooked))
        #expect(restrained.days.count >= Self.days - 1 && hooked.days.count >= Self.days - 1)
        #expect(restrained.health.isEmpty && restrained.days.dropFirst().allSatisfy { $0.energy >= 90 })
        #expect(restrained.days.count(where: { $0.isFed }) * 10 >= restrained.days.count * 9)
        #expect(hooked.health.contains(.dead) && hooked.days.last?.condition == .dead)
        #expect(hooked.report.contains("died 1"))
        #expect(live(.wavering).days == live(.wavering).days, "the same seed, the same months")
    }
}
