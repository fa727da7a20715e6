import Fields
import Settings
import Testing
import Units
import Wire

@Suite struct SettingValuesTests {
    private let table = SettingsTable()

    private func setting(_ name: String) throws -> any AnySetting { try #require(table.settings.first { $0.entry.name == name }) }

    private func fault(_ text: String, for name: String) throws -> Fault? {
        var values = SettingValues(table)
        do {
            try values.read(text, as: try setting(name))
            return nil
        } catch {
            return error as? Fault
        }
    }

    @Test func `what is not given is as the table says`() {
        let values = SettingValues(table)
        #expect(values.idle == Seconds(45) && values.queue == Seconds(0.2) && values.sinkLatency == Seconds(0.005))
        #expect(values.rate == SampleRate(48_000) && values.revises && values.output == .pulse)
        #expect(values.ceiling == nil && values.seed == nil && values.journalAge == nil && values.transducer == [])
        #expect(!values.isGiven(\.idle))
    }

    @Test func `what is given is of its setting's type and unit`() throws {
        var values = SettingValues(table)
        let texts = ["idle": "0.5", "queue": "120", "rate": "44100", "revise": "no", "output": "null", "ceiling": "-3", "seed": "7",
                     "journal-days": "2", "transducer": "3, 4", "osc": "9000", "http": "[::1]:7400"]
        for (name, text) in texts { try values.read(text, as: try setting(name)) }
        #expect(values.idle == Seconds(0.5) && values.queue == Seconds(0.12) && values.rate == SampleRate(44_100) && !values.revises)
        #expect(values.output == .null && values.ceiling == Decibels(-3) && values.seed == 7 && values.journalAge == Seconds(172_800))
        #expect(values.transducer == [3, 4] && values.osc == 9000)
        #expect(values.http?.address == "::1" && values.http?.port == 7400)
        #expect(values.isGiven(\.idle) && !values.isGiven(\.maxHold))
    }

    @Test(arguments: [
        ("idle", "0", "idle: expected a number from 0.1 to 86400 (s), found \"0\""),
        ("idle", "nan", "idle: expected a number from 0.1 to 86400 (s), found \"nan\""),
        ("rate", "7", "rate: expected a whole number from 8000 to 192000 (Hz), found \"7\""),
        ("max-clients", "2.5", "max-clients: expected a whole number from 1 to 4096, found \"2.5\""),
        ("revise", "true", "revise: expected one of yes, no, found \"true\""),
        ("log", "loud", "log: expected one of trace, debug, info, notice, warning, error, critical, found \"loud\""),
        ("transducer", "3,,4", "transducer: expected channels from 1 to 8, as in 3,4, found \"3,,4\""),
        ("transducer", "3,3", "transducer: expected channels from 1 to 8, as in 3,4, found \"3,3\""),
        ("http", "0", "http: expected a port from 1 to 65535, or ADDRESS:PORT as in 0.0.0.0:7400, found \"0\""),
        ("http", "::1:7400", "http: expected a port from 1 to 65535, or ADDRESS:PORT as in 0.0.0.0:7400, found \"::1:7400\""),
        ("output", "jack", "output: expected pulse, alsa, alsa:DEVICE as in alsa:hw:CARD=PCH, or null, found \"jack\""),
        ("output", "alsa:", "output: expected pulse, alsa, alsa:DEVICE as in alsa:hw:CARD=PCH, or null, found \"alsa:\""),
        ("output", "null:hw:0", "output: expected pulse, alsa, alsa:DEVICE as in alsa:hw:CARD=PCH, or null, found \"null:hw:0\""),
        ("http-local-role", "root", "http-local-role: expected one of none, visitor, watch, operator, found \"root\""),
    ])
    func `what is not allowed is told with what was expected and found`(name: String, text: String, words: String) throws {
        #expect(try fault(text, for: name)?.description == words)
    }

    @Test func `every kind of output is chosen by its name, and a card by its own too`() throws {
        var values = SettingValues(table)
        let outputs = try OutputKind.allCases.map { kind in
            try values.read(kind.rawValue, as: try setting("output"))
            return values.output
        }
        #expect(outputs == [.pulse, .alsa(device: nil), .null])
        try values.read("alsa:hw:CARD=PCH,DEV=3", as: try setting("output"))
        #expect(values.output == .alsa(device: "hw:CARD=PCH,DEV=3"))
        #expect(try setting("output").entry.help == "pulse for a sound server, alsa for a card without one, null for a timer that plays into "
            + "nothing; a file has \"null\" in quotes")
    }

    @Test func `a reload changes what it can and leaves the rest`() throws {
        var values = SettingValues(table)
        values.rate = .standard
        values.maxHold = Seconds(7)
        var new = SettingValues(table)
        new.idle = Seconds(3)
        new.queue = Seconds(0.1)
        values.reload(from: new)
        #expect(values.idle == Seconds(3))
        #expect(values.maxHold == Seconds(600), "it is no longer given")
        #expect(values.queue == Seconds(0.2) && values.isGiven(\.rate))
    }
}
