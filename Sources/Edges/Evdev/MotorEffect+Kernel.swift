import CEvdev
import Haptics

extension ff_effect {
    /// `effect` as the kernel wants it; an id of -1 asks for a new one.
    init(_ effect: MotorEffect, id: Int16) {
        self.init()
        self.id = id
        // Half a turn to either side: a motor that knows directions shakes sideways.
        direction = 0x4000
        replay.length = effect.length
        let envelope = ff_envelope(attack_length: effect.attack.length, attack_level: effect.attack.level,
                                   fade_length: effect.fade.length, fade_level: effect.fade.level)
        switch effect.drive {
        case .sine(let period, let magnitude):
            type = UInt16(FF_PERIODIC)
            u.periodic.waveform = UInt16(FF_SINE)
            u.periodic.period = period
            u.periodic.magnitude = Int16(clamping: magnitude)
            u.periodic.envelope = envelope
        case .rumble(let strong, let weak):
            type = UInt16(FF_RUMBLE)
            u.rumble.strong_magnitude = strong
            u.rumble.weak_magnitude = weak
        case .constant(let level):
            type = UInt16(FF_CONSTANT)
            u.constant.level = Int16(clamping: level)
            u.constant.envelope = envelope
        }
    }
}
