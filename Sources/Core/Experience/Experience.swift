import Fields
import Signals
import Units

/// The rules of one piece: what happens in, cues out. Deterministic, and without a clock: the same events at the same times
/// after the same seed, theme and tuning give the same cues.
public protocol Experience: Sendable {
    var name: ExperienceName { get }
    /// What a session begins with.
    var opening: [Cue] { get }
    /// Whether anybody holds a finger down or the tone on.
    var isHeld: Bool { get }
    func isHeld(by client: Client) -> Bool
    /// That are down.
    var fingers: Int { get }
    /// Why `event` cannot be acted on; nil when it can.
    func refusal(of event: Event) -> Fault?
    /// Acts on one event that is not refused. `time` counts from the session's start and never goes back.
    mutating func reduce(_ event: Event, at time: Frame) -> [Cue]
    /// What the session has come to by then; nil for an experience that counts nothing.
    func record(at time: Frame) -> SessionRecord?
}
