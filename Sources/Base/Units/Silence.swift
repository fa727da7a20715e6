extension Span<Float> {
    /// Whether all samples are 0.
    public var isSilent: Bool {
        var start = 0
        while start < count {
            let end = Swift.min(start + 64, count)
            // Several at a time.
            var bits: UInt32 = 0
            for index in start..<end { bits |= self[unchecked: index].bitPattern }
            // But for the sign: −0 is silence, too.
            guard bits << 1 == 0 else { return false }
            start = end
        }
        return true
    }
}
