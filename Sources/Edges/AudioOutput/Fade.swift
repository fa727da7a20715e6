import Synth
import Units

/// How sound comes back after silence, and goes when the server stands still: never with a click.
enum Fade {
    case none
    case `in`(from: Frame)
    case out(from: Frame)

    /// Over `length` frames of so many channels, along x²(3 − 2x), whose slope is zero at both ends.
    func apply(to span: inout MutableSpan<Float>, from start: Frame, length: Int64, channels: Int) {
        let (origin, isIn) = switch self {
        case .none: (Frame.zero, true)
        case .in(let frame): (frame, true)
        case .out(let frame): (frame, false)
        }
        if case .none = self { return }
        for index in 0..<span.count {
            let distance = (start - origin).rawValue + Int64(index / channels)
            guard distance < length else { return }
            let x = Float(max(0, distance)) / Float(length)
            let gain = x * x * (3 - 2 * x)
            span[index] *= isIn ? gain : 1 - gain
        }
    }
}
