import Experience

/// Describes the fields in answers and announcements of the engine and of pieces, for the OpenRPC document and docs/reference.
struct FieldGuide {
    /// The meanings of fields that hold text; `values` has those of all other fields. They are separate, because fields of one name can be
    /// of either kind.
    private let texts: [String: FieldMeaning]
    private let values: [String: FieldMeaning]

    init(_ pieces: [Declaration]) {
        let all = pieces.reduce(into: [String: FieldMeaning]()) { $0.merge($1.meanings) { $1 } }
        // Each path in the answer to `status` belongs to either a text or another value, so its meaning is put into both.
        texts = Self.texts.merging(StatusField.meanings.mapValues(FieldMeaning.about)) { $1 }.merging(all.filter(\.value.isOfText)) { $1 }
        values = Self.values.merging(StatusField.meanings) { $1 }.mapValues(FieldMeaning.value)
            .merging(all.filter { !$0.value.isOfText }) { $1 }
    }

    /// Returns the meaning of the field at a path, which begins with its method or topic: for instance `device.list`, `motors`, `node`.
    /// Where several ends of the path have a meaning, the longest counts; nil where none has one. `isText` says that the field may hold any
    /// text.
    func meaning(of path: [String], isText: Bool) -> FieldMeaning? {
        let meanings = isText ? texts : values
        return path.indices.lazy.compactMap { meanings[path[$0...].joined(separator: ".")] }.first
    }

    /// The meanings of fields that do not hold free text, by the end of the field's path.
    private static let values: [String: String] = [
        "cue.cue": "what the outputs do",
        "cue.fade": "how long the volume takes to get there, s",
        "cue.frequency": "of the tone, Hz",
        "cue.glide": "how long the pitch takes to get there, s",
        "cue.level": "of the tone, the ceiling or the volume, dBFS",
        "cue.on": "whether a texture begins, or sound is taken away",
        "cue.open": "whether the tone sounds from now on",
        "cue.pattern": "events as in a journal",
        "config.outlook.part": "of the simulation that is done, 0 to 1",
        "contacts.id": "tells the fingers on one touchscreen apart",
        "contacts.phase": "what the finger did",
        "contacts.x": "0 at the picture's left edge, 1 at the right; left out of an end without a place",
        "contacts.y": "0 at the picture's top edge, 1 at the bottom; left out of an end without a place",
        "error.retryAfter": "in how many seconds the same may be asked again; left out where nobody knows",
        "event.client": "who reported it, as in the journal: 0 is the engine, less than 0 a touchscreen",
        "event.event": "what has happened",
        "event.frame": "of the session, at which it took effect",
        "explore.at.role": "what kind of thing it is; left out where nothing is under the finger",
        "explore.mode.on": "whether pages are explored by touch",
        "explore.regions.on": "whether pages are explored by touch",
        "fault.client": "that was released, as in the journal",
        "fault.discontinuity": "how what is heard differs from what the events say",
        "fault.frame": "of the session, at which it begins",
        "fault.frames": "how long it was; left out while it goes on",
        "fault.released": "why thrumd let go of what the client held",
        "meters.peak": "the highest sample, dBFS, -120 and up",
        "meters.rms": "root mean square, dBFS, -120 and up",
        "missed.count": "how many were left out",
        "owner": "whose touches count",
        "schedule.week.days.start": "the day's midnight at the place, in seconds since 1970-01-01 in UTC",
        "schedule.week.days.utcOffset": "by how many seconds local time is ahead of UTC then",
        "schedule.week.spans.utcOffset": "by how many seconds local time is ahead of UTC at its start",
        "screens.client": "the touchscreen, as in the journal: less than 0",
        "screens.height": "places that the sensor tells apart down the picture",
        "screens.rotate": "by how much the picture is turned clockwise against the sensor, degrees",
        "screens.width": "places that the sensor tells apart across the picture",
        "session.endsAt": "when the visit ends if nothing happens, seconds since the session's start; with leaving",
        "session.endsAtMonotonic": "when the visit ends if nothing happens, CLOCK_MONOTONIC in ns; with leaving",
        "session.endsIn": "until the visit ends if nothing happens, s; with leaving",
        "session.phase": "somebody has come, is about to be taken for gone, is there after all, or has gone",
        "session.record": "what the piece says of the visit; with ended",
        "speech.say.seconds": "how long it is being spoken; 0 where something else is, or silence was asked for, before it had begun",
        "state.ceiling": "no sample passes it, dBFS",
        "state.fingers": "how many are down",
        "state.hasSession": "whether a session is under way",
        "state.isHeld": "whether a finger is down or a client holds the tone",
        "state.isMuted": "whether sound is taken away",
        "state.output": "as output.state of status",
        "token.invite.seconds": "how long the code is good",
        "tone.frequency": "where it goes to, if it glides, Hz; 0 before the first session",
        "tone.isOpen": "whether it sounds",
        "tone.level": "dBFS",
        "touches.at": "when it was, by the kernel: CLOCK_MONOTONIC in ns",
        "touches.client": "the touchscreen, as in the journal: less than 0",
    ]

    /// The meanings of fields that hold text, by the end of the field's path.
    private static let texts: [String: FieldMeaning] = [
        "account": "of the household's books, as the piece calls it",
        "by": "who took the step: a user's name, or the person of a token",
        "capabilities": .words(Greeting.allCapabilities, about: "what this daemon has"),
        "changes.former": "what it was before, as text",
        "changes.key": "a setting's",
        "changes.path": "of the field in the document, as in items[2].price",
        "changes.value": "what it is now, as text",
        "chime.list.names": "of a chime",
        "chosen": "the preset that was chosen by hand; left out while the schedule decides",
        "clients.name": "what it called itself in hello; left out where it did not",
        "cue.name": "of a chime, a texture, a haptic pattern or a theme",
        "currency": "as the piece calls it",
        "cursor": "for the next part; left out of the last",
        "device.motors": "its name, as the kernel has it",
        "device.touchscreens": "its name, as the kernel has it",
        "entries.key": "a key counts once",
        "entries.kind": "what the entry is for, as the piece calls it",
        "entries.note": "for people",
        "entry": "of the schedule, by the name that the settings give it",
        "error.expected": "what would have been right",
        "error.field": "the field at fault",
        "error.found": "what was there instead; left out where nobody can say",
        "experience": "the piece that runs",
        "explore.activate.id": "of the region, as the page has named it",
        "explore.at.id": "of the region, as the page has named it; left out where nothing is under the finger",
        "explore.at.label": "to be spoken; left out where nothing is under the finger, and for others than the page itself",
        "fault.issues": "what is wrong, in words for people",
        "folder": "a path",
        "haptic.list.names": "of a haptic pattern",
        "hello.name": .words(["thrumd"], about: "the program"),
        "household": "its name",
        "households": "the name of one that has books",
        "households.name": "as who entered first has said it",
        "journal": "a path; left out while there is no such file",
        "kind": "a kind of documents, as config.history lists them",
        "kinds.about": "what such documents say, in words for people",
        "lastRefusal": "why the last of its requests without an id was refused, for people; left out where none was",
        "message": "for people",
        "methods": "a method that this client may call now",
        "next": "what it will be after the next start; left out where that is no other",
        "notKept": "why it is not on the disk; left out when it is, or need not be",
        "notes": "about a journal that was cut off, changed or left out, in words for people",
        "objections": "what is wrong with the document, in words for people",
        "outlook.about": "what was simulated, in words for people",
        "outlook.rows.name": "what was counted",
        "outlook.rows.unit": "of the figures; left out where they have none",
        "param.get.name": "of the knob or counter",
        "parameters.name": "of the knob or counter",
        "person": "whose token this client shows, without what follows a +; left out without a token",
        "place": "where it is set: a file and line, a variable, or a flag; left out where nothing sets it",
        "position": "for telemetry.sent; left out while there is no journal",
        "preset.list.names": "of a preset",
        "rehearsal.list.scenes.name": "which of the topic's, for rehearse",
        "rehearsal.list.scenes.topic": "of the announcement, for rehearse",
        "screens.name": "the touchscreen's, as the kernel has it",
        "sessions.end": "why it ended, as in the journal; left out while it goes on, and where it was cut off",
        "sessions.experience": "its piece; left out where the journal has no session",
        "sessions.started": "when it began, ISO 8601 in UTC, or simulated; left out where the journal has no session",
        "sessions.theme": "the one that it began with; left out where the journal has no session",
        "settings.key": "a setting's",
        "settings.value": "as a settings file has it",
        "silent": "one of the topics, of which nothing is told while this piece runs",
        "since": "up to where the table has been sent; left out for nothing",
        "sinks.description": "for people",
        "sinks.name": "for the setting sink",
        "spans.preset": "the preset in force",
        "text": "whole lines of the table",
        "texture.list.names": "of a texture",
        "theme.list.names": "of a theme",
        "token": "to be shown by whoever connects; nobody can ask for it again",
        "token.add.name": "who has it",
        "token.claim.name": "who has it",
        "token.invite.address": "the console's: with #code= and the code behind it, a device comes in; left out where no pages are served",
        "token.invite.code": "to be shown like a token by the device that comes in, which then claims its token",
        "token.invite.name": "who is to have it",
        "tokens.name": "who has it",
        "topics": "a topic's name",
        "unit": "of the value; left out where it has none",
        "version": "of Thrum, as in 0.1.0",
        "waitingForStart": "a setting that was changed and counts after the next start",
        "warnings": "in words for people",
    ]
}
