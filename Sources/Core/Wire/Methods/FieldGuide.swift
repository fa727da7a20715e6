import Experience

/// What texts hold, of the engine's own answers and announcements and of a piece's, for whoever reads the OpenRPC document.
struct TextGuide {
    private let meanings: [String: TextMeaning]

    init(_ pieces: [Declaration]) {
        meanings = pieces.reduce(Self.own) { $0.merging($1.texts) { $1 } }
    }

    /// Of the text at a path from its method or topic, such as `device.list`, `motors`, `node`: that of the longest end of it that has one.
    /// Nil where nothing is said of it.
    func meaning(of path: [String]) -> TextMeaning? {
        path.indices.lazy.compactMap { meanings[path[$0...].joined(separator: ".")] }.first
    }

    /// By the end of the path.
    private static let own: [String: TextMeaning] = [
        "account": "of the household's books, as the piece calls it",
        "by": "who took the step: a user's name, or the person of a token",
        "capabilities": .words(Greeting.allCapabilities),
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
        "folder": "a path",
        "haptic.list.names": "of a haptic pattern",
        "hello.name": .words(["thrumd"]),
        "household": "its name",
        "households": "the name of one that has books",
        "house.preset": "the preset in force",
        "house.theme": "the theme in force",
        "issue": "what is wrong, in words for people; left out when nothing is",
        "issues": "what is wrong, in words for people",
        "journal": "a path; left out while there is no such file",
        "kind": "a kind of documents, as config.history lists them",
        "kinds.about": "what such documents say, in words for people",
        "lastCause": "of the last restart",
        "message": "for people",
        "methods": "a method that this client may call now",
        "missing": "of a device that the settings want and that is not there",
        "motors.name": "as the kernel has it",
        "next": "what it will be after the next start; left out where that is no other",
        "node": "its device file, as in /dev/input/event3",
        "notKept": "why it is not on the disk; left out when it is, or need not be",
        "notes": "about a journal that was cut off, changed or left out, in words for people",
        "objections": "what is wrong with the document, in words for people",
        "outlook.about": "what was simulated, in words for people",
        "outlook.rows.name": "what was counted",
        "outlook.rows.unit": "of the figures; left out where they have none",
        "pages.name": "what it called itself in hello; left out where it did not",
        "pages.screen": "of the kiosk; left out where it is on none",
        "param.get.name": "of the knob or counter",
        "parameters.name": "of the knob or counter",
        "person": "whose token this client shows, without what follows a +; left out without a token",
        "place": "where it is set: a file and line, a variable, or a flag; left out where nothing sets it",
        "position": "for telemetry.sent; left out while there is no journal",
        "preset.list.names": "of a preset",
        "rehearsal.list.scenes.name": "which of the topic's, for rehearse",
        "rehearsal.list.scenes.topic": "of the announcement, for rehearse",
        "report.screens.name": "the kiosk's for the screen, or any",
        "screens.name": "the touchscreen's, as the kernel has it",
        "server": "the sound server's name and version; left out without one",
        "settings.key": "a setting's",
        "settings.value": "as a settings file has it",
        "silent": "one of the topics, of which nothing is told while this piece runs",
        "since": "up to where the table has been sent; left out for nothing",
        "sink": "where the sound goes; left out where nobody knows",
        "sinks.description": "for people",
        "sinks.name": "for the setting sink",
        "spans.preset": "the preset in force",
        "text": "whole lines of the table",
        "texture.list.names": "of a texture",
        "theme.list.names": "of a theme",
        "token": "to be shown by whoever connects; nobody can ask for it again",
        "token.add.name": "who has it",
        "tokens.name": "who has it",
        "topics": "a topic's name",
        "touchscreens.name": "as the kernel has it",
        "trouble": "the older name of issue",
        "troubles": "the older name of issues",
        "unit": "of the value; left out where it has none",
        "version": "of Thrum, as in 0.1.0",
        "waitingForStart": "a setting that was changed and counts after the next start",
        "warnings": "in words for people",
    ]
}
