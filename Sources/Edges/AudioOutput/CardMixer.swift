import CAlsa

/// Looks whether a card's own mixer lets anything through. It is never changed. Thread: render.
final class CardMixer {
    private let mixer: OpaquePointer

    /// Of the card with that number; nil where it has none.
    init?(card: Int32) {
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) >= 0, let mixer = opened else { return nil }
        guard snd_mixer_attach(mixer, "hw:\(card)") >= 0, snd_mixer_selem_register(mixer, nil, nil) >= 0, snd_mixer_load(mixer) >= 0 else {
            snd_mixer_close(mixer)
            return nil
        }
        self.mixer = mixer
    }

    deinit { snd_mixer_close(mixer) }

    /// Whether what everything goes through is switched off or at its lowest, or everything that leads out is.
    var isMuted: Bool {
        snd_mixer_handle_events(mixer)
        var outlets: [Bool] = []
        var element = snd_mixer_first_elem(mixer)
        while let current = element {
            element = snd_mixer_elem_next(current)
            guard snd_mixer_selem_is_active(current) != 0, let name = snd_mixer_selem_get_name(current).map({ String(cString: $0) })
            else { continue }
            if Self.passages.contains(name), Self.isShut(current) { return true }
            if Self.outlets.contains(name) { outlets.append(Self.isShut(current)) }
        }
        return !outlets.isEmpty && outlets.allSatisfy { $0 }
    }

    /// By the names that the kernel's drivers give (Documentation/sound/designs/control-names.rst).
    private static let passages: Set = ["Master", "PCM", "Digital"]
    private static let outlets: Set = ["Speaker", "Headphone", "Line Out", "Front"]

    private static func isShut(_ element: OpaquePointer) -> Bool {
        let channel = SND_MIXER_SCHN_FRONT_LEFT
        if snd_mixer_selem_has_playback_switch(element) != 0 {
            var isOn: Int32 = 1
            for channel in [channel, SND_MIXER_SCHN_FRONT_RIGHT] where snd_mixer_selem_has_playback_channel(element, channel) != 0 {
                snd_mixer_selem_get_playback_switch(element, channel, &isOn)
                if isOn != 0 { break }
            }
            if isOn == 0 { return true }
        }
        guard snd_mixer_selem_has_playback_volume(element) != 0 else { return false }
        var (lowest, highest, volume) = (0, 0, 1)
        guard snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest) >= 0, lowest < highest,
              snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0 else { return false }
        return volume == lowest
    }
}
