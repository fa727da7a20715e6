import Calendar
import Wire

extension House {
    /// The schedule's week from the midnight before `instant` on, seconds since 1970-01-01 in UTC.
    func week(at instant: Int, utcOffset: (Int) -> Int) -> ScheduleWeek {
        guard LocalClock.isBelievable(instant), let midnight = LocalTime("00:00") else {
            return ScheduleWeek(spans: [], chosen: chosen?.name)
        }
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        let end = LocalClock.instant(midnight, on: today + 7, utcOffset: utcOffset)
        var spans: [ScheduleWeek.Span] = []
        var start = LocalClock.instant(midnight, on: today, utcOffset: utcOffset)
        while start < end {
            let choice = venue.schedule.preset(at: start, utcOffset: utcOffset)
            let next = min(end, venue.schedule.nextEdge(after: start, utcOffset: utcOffset) ?? end)
            spans.append(ScheduleWeek.Span(start: start, until: next, preset: choice.preset, entry: choice.hours,
                                           isOpen: venue.isHeard(choice.preset)))
            start = next
        }
        return ScheduleWeek(spans: spans, chosen: chosen?.name)
    }
}
