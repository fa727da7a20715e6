import Fields

extension WeeklySchedule {
    private static let day = 86_400

    /// Hours that are hardly meant as they stand: those that never apply, and those that begin when they end. They come in the order of
    /// their names, and the fields begin with `schedule`. Weeks in which clocks change are left aside.
    public var oddities: [Fault] {
        let winners = winnersOfWeek
        return hours.sorted { $0.key < $1.key }.flatMap { name, hours in
            var faults: [Fault] = []
            if hours.from == hours.to {
                faults.append(Fault(field: "schedule.hours.\(name).to",
                                    expected: "another time than from, or these hours last until the next day's", found: "the same"))
            }
            if !winners.values.contains(name) {
                let others = Set(winners.filter { isOn(name, at: $0.key) }.values).sorted().joined(separator: ", ")
                faults.append(Fault(field: "schedule.hours.\(name)", expected: "hours that apply at some time of the week",
                                    found: "none, because \(others) always comes first: of fewer days, of as many and begun later, or "
                                        + "first by name"))
            }
            return faults
        }
    }

    /// Who applies from each edge of a week on until the next, in which days are as long as any; the second week since 1970.
    private var winnersOfWeek: [Int: String] {
        let edges = Set((6...14).flatMap { day in hours.values.compactMap { $0.span(on: day) { _ in 0 } } }
            .flatMap { [$0.lowerBound, $0.upperBound] }).filter { (7 * Self.day..<14 * Self.day).contains($0) }
        return edges.reduce(into: [:]) { $0[$1] = preset(at: $1, utcOffset: { _ in 0 }).hours }
    }

    private func isOn(_ name: String, at instant: Int) -> Bool {
        let today = instant / Self.day
        return (today - 1...today).contains { hours[name]?.span(on: $0) { _ in 0 }?.contains(instant) == true }
    }
}
