/// The volumes and mutes that others have set in the sound server for our stream and its sink.
@frozen
public struct Attenuation: Sendable, Equatable, BitwiseCopyable {
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
