/// What somebody may have meant by a name that is none.
public enum Spelling {
    /// The name nearest to `name`; of several the first by alphabet. Nil where none is near: of three letters one may be wrong, of names
    /// that are longer two. A letter is wrong that is added, left out or another, or that has changed places with its neighbour. What is
    /// no ASCII text of at most 64 bytes is not compared, so that no stranger's text costs much.
    public static func nearest(to name: String, among names: some Collection<String>) -> String? {
        guard Fields.isShortASCII(name) else { return nil }
        let letters = Array(name.utf8)
        let most = letters.count > 4 ? 2 : 1
        // Whose length differs by more cannot be near.
        let near = names.filter { abs($0.utf8.count - letters.count) <= most }
            .map { (name: $0, distance: distance(letters, Array($0.utf8))) }
        let nearest = near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return nearest.flatMap { (1...most).contains($0.distance) ? $0.name : nil }
    }

    /// `(did you mean queue?)` after a space, or nothing.
    public static func hint(for name: String, among names: some Collection<String>) -> String {
        nearest(to: name, among: names).map { " (did you mean \($0)?)" } ?? ""
    }

    /// Damerau's and Levenshtein's: the optimal string alignment.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var (above, row) = ([Int](repeating: 0, count: b.count + 1), Array(0...b.count))
        for i in a.indices {
            var next = [i + 1] + [Int](repeating: 0, count: b.count)
            for j in b.indices {
                next[j + 1] = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { next[j + 1] = min(next[j + 1], above[j - 1] + 1) }
            }
            (above, row) = (row, next)
        }
        return row[b.count]
    }
}
