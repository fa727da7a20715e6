/// What the sound server's users have set for our stream and for its sink: how much of what is played gets through.
@frozen
public struct Passage: Sendable, Equatable, BitwiseCopyable {
    @frozen
    public struct Stage: Sendable, Equatable, BitwiseCopyable {
        public var isMuted: Bool
        /// 1 leaves everything as it is.
        public var magnitude: Double

        public init(isMuted: Bool = false, magnitude: Double = 1) {
            self.isMuted = isMuted
            self.magnitude = magnitude
        }
    }

    public var stream = Stage()
    public var sink = Stage()

    public init() {}
}
