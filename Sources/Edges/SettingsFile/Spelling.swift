/// What somebody may have meant by a name that is none.
public enum Spelling {
    /// The name nearest to `name`, if no more than two letters are to be added, left out or changed; of several the first by alphabet.
    public static func nearest(to name: String, among names: some Collection<String>) -> String? {
        let near = names.sorted().map { (name: $0, distance: distance($0, name)) }.min { $0.distance < $1.distance }
        return near.flatMap { $0.distance <= 2 ? $0.name : nil }
    }

    /// Levenshtein's.
    private static func distance(_ a: String, _ b: String) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let change = x == y ? diagonal : diagonal + 1
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
