import CUinput
import Foundation
import Synchronization

/// A force-feedback device of our own making that answers uploads and writes down all that it is asked to do.
final class VirtualPad: Sendable {
    struct Entry: Equatable, Sendable {
        enum Kind: Equatable, Sendable { case upload, erase, play, stop, gain }

        var kind: Kind
        /// The effect's; for a gain its value.
        var id: Int
        /// As the kernel stamped it, CLOCK_MONOTONIC in nanoseconds.
        var moment: Int64
        /// The effect as it was when it was played or uploaded.
        var effect: Effect?
    }

    struct Effect: Equatable, Sendable {
        var type: Int32
        var length: Int
        /// Of a sine, of the heavy motor, or of a push.
        var strength: Int
        /// Of the light motor.
        var weak: Int
        var period: Int
        var fade: Int

        init(_ effect: ff_effect) {
            type = Int32(effect.type)
            length = Int(effect.replay.length)
            (strength, weak, period, fade) = switch type {
            case FF_PERIODIC: (Int(effect.u.periodic.magnitude), 0, Int(effect.u.periodic.period), Int(effect.u.periodic.envelope.fade_length))
            case FF_RUMBLE: (Int(effect.u.rumble.strong_magnitude), Int(effect.u.rumble.weak_magnitude), 0, 0)
            default: (Int(effect.u.constant.level), 0, 0, Int(effect.u.constant.envelope.fade_length))
            }
        }
    }

    let device: VirtualDevice
    private let entries = Mutex<[Entry]>([])
    private let held = Mutex<[Int: Effect]>([:])

    /// `delay`: so many microseconds an upload takes. `refusal`: uploads are answered with this error number, as long as it says so.
    init(_ name: String = "Test Pad", forces: [Int32], effects: Int32 = 16, delay: UInt32 = 0,
         refusal: @escaping @Sendable () -> Int32 = { 0 }) throws {
        device = try VirtualDevice(name, keys: [BTN_SOUTH], forces: forces, effects: effects)
        Thread.detachNewThread { [self] in serve(delay, refusal) }
    }

    static func sine(_ name: String = "Test Pad", effects: Int32 = 16, delay: UInt32 = 0,
                     refusal: @escaping @Sendable () -> Int32 = { 0 }) throws -> VirtualPad {
        try VirtualPad(name, forces: [FF_PERIODIC, FF_SINE, FF_GAIN], effects: effects, delay: delay, refusal: refusal)
    }

    static func rumble(_ name: String = "Test Rumble") throws -> VirtualPad { try VirtualPad(name, forces: [FF_RUMBLE]) }

    var log: [Entry] { entries.withLock { $0 } }
    var plays: [Entry] { log.filter { $0.kind == .play } }
    /// Effects in its memory.
    var count: Int { held.withLock { $0.count } }

    private func serve(_ delay: UInt32, _ refusal: @Sendable () -> Int32) {
        var event = input_event()
        while read(device.descriptor, &event, MemoryLayout<input_event>.stride) > 0 {
            let moment = Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1_000
            switch (Int32(event.type), Int32(event.code)) {
            case (EV_UINPUT, UI_FF_UPLOAD):
                var upload = uinput_ff_upload()
                upload.request_id = UInt32(event.value)
                _ = uinput_begin_upload(device.descriptor, &upload)
                if delay > 0 { usleep(delay) }
                upload.retval = -refusal()
                if upload.retval == 0 { note(.upload, Int(upload.effect.id), moment, Effect(upload.effect)) }
                _ = uinput_end_upload(device.descriptor, &upload)
            case (EV_UINPUT, UI_FF_ERASE):
                var erase = uinput_ff_erase()
                erase.request_id = UInt32(event.value)
                _ = uinput_begin_erase(device.descriptor, &erase)
                note(.erase, Int(erase.effect_id), moment)
                _ = uinput_end_erase(device.descriptor, &erase)
            case (EV_FF, FF_GAIN): note(.gain, Int(event.value), moment)
            case (EV_FF, let id): note(event.value > 0 ? .play : .stop, Int(id), moment)
            default: break
            }
        }
    }

    private func note(_ kind: Entry.Kind, _ id: Int, _ moment: Int64, _ effect: Effect? = nil) {
        let effect = held.withLock { held in
            if kind == .upload { held[id] = effect }
            return kind == .erase ? held.removeValue(forKey: id) : held[id]
        }
        entries.withLock { $0.append(Entry(kind: kind, id: id, moment: moment, effect: kind == .gain ? nil : effect)) }
    }
}
