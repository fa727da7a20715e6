import Haptics
import Testing

@Suite struct EffectSlotsTests {
    private func effect(_ level: UInt16, length: UInt16 = 10) -> MotorEffect { MotorEffect(drive: .constant(level: level), length: length) }

    @Test func `what was played longest ago goes first`() {
        var slots = EffectSlots(capacity: 3)
        for id in 0..<3 { slots.hold(effect(UInt16(id)), id: Int16(id), lastUse: Int64(id)) }
        #expect(slots.isFull)
        slots.start(effect(0), now: 100)
        #expect(slots.victim(sparing: [], now: 1_000_000_000) == 1)
        #expect(slots.victim(sparing: [effect(1)], now: 1_000_000_000) == 2)
    }

    @Test func `what is being felt stays`() {
        var slots = EffectSlots(capacity: 1)
        slots.hold(effect(1, length: 10), id: 5, lastUse: 0)
        slots.start(effect(1, length: 10), now: 0)
        #expect(slots.playing(9_999_999) == [5])
        #expect(slots.victim(sparing: [], now: 9_999_999) == nil)
        #expect(slots.victim(sparing: [], now: 10_000_000) == 5)
        slots.start(effect(1, length: 10), now: 0)
        #expect(slots.end(effect(2), now: 1).isEmpty)
        #expect(slots.end(effect(1, length: 10), now: 1) == [5])
        #expect(slots.playing(1).isEmpty && slots.end(now: 1).isEmpty)
    }

    @Test func `an id holds one effect`() {
        var slots = EffectSlots(capacity: 2)
        slots.hold(effect(1), id: 0, lastUse: 0)
        slots.hold(effect(2), id: 0, lastUse: 1)
        #expect(slots.id(of: effect(1)) == nil && slots.id(of: effect(2)) == 0 && slots.count == 1)
    }

    @Test func `a device with less room than it said is believed`() {
        var slots = EffectSlots(capacity: 16)
        slots.hold(effect(1), id: 0, lastUse: 0)
        slots.shrink()
        #expect(slots.capacity == 1 && slots.isFull)
    }
}
