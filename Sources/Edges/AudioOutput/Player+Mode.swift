extension Player {
    enum Mode {
        /// There is no stream. Time goes on by the clock.
        case free
        /// There is one, which does not play yet, or not any more. It is fed silence.
        case filling
        case live
    }
}
