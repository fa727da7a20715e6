import Experience
import Signals
import Testing

@testable import Settings

@Suite struct SettingsTableTests {
    private func piece(_ name: String, _ knobs: Knob...) -> Declaration {
        Declaration(name: name, rulesVersion: 1, about: "a piece", knobs: knobs)
    }

    private func knob(_ name: String, _ kind: Knob.Kind = .number(0...1, standard: 0.5), unit: String? = nil) -> Knob {
        Knob(name, kind, unit: unit, about: "a knob")
    }

    @Test func `each key is there once, in words that are a flag and a variable`() {
        let names = SettingsTable().entries.map(\.name)
        #expect(names.count > 40 && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
        #expect(SettingsTable()["sink-latency"]?.variable == "THRUM_SINK_LATENCY")
        #expect(SettingsTable()["schedule"]?.variable == nil)
        #expect(SettingsTable()["sink-latencies"] == nil)
    }

    @Test func `each example is a value that the setting takes, and so is each default that can be written`() {
        for setting in SettingsTable().settings where setting.entry.name != "experience" {
            let (entry, name) = (setting.entry, setting.entry.name)
            #expect(setting.value(of: entry.example) != nil, "\(name)")
            if entry.example == entry.standard { #expect(setting.value(of: entry.standard) != nil, "\(name)") }
            #expect(!entry.help.isEmpty && entry.help.last != ".", "\(name)")
        }
    }

    @Test func `the pieces are what the setting experience may be, and their knobs are keys without a flag`() throws {
        let table = try SettingsTable(pieces: [piece("one", knob("speed")), piece("two", knob("loops", .flag(standard: false)))])
        #expect(table["experience"]?.expected == "one of one, two")
        #expect(table.knobs.map(\.name) == ["speed", "loops"])
        #expect(table["speed"]?.expected == "a number from 0 to 1" && table["loops"]?.expected == "one of yes, no")
        #expect(table.entries.suffix(2).allSatisfy { !$0.hasFlag && $0.effect == .reload })
    }

    @Test func `the models are those of the pieces, and the first one's first is the default`() throws {
        let guesser = Declaration(name: "guesser", rulesVersion: 1, about: "a piece",
                                  prediction: PredictionDeclaration(models: ["plain", "fancy"], inputs: ["taps"]))
        let entry = try #require(try SettingsTable(pieces: [piece("one"), guesser])["churn-model"])
        #expect(entry.standard == "plain" && entry.example == "plain" && entry.effect == .reload && entry.shape.isPath)
        #expect(entry.expected == "plain, fancy, or the path of a .mlmodel")
        #expect(SettingsTable()["churn-model"]?.standard == "the piece's own")
    }

    @Test func `two pieces may have the same knob, which is one key`() throws {
        let table = try SettingsTable(pieces: [piece("one", knob("speed")), piece("two", knob("speed"))])
        #expect(table.knobs.map(\.name) == ["speed"])
    }

    @Test func `knobs of one name that differ are told with both pieces, and so is one that has a setting's name`() {
        for other in [knob("speed", .number(0...2, standard: 0.5)), knob("speed", .number(0...1, standard: 1)),
                      knob("speed", .flag(standard: false)), knob("speed", unit: "times")] {
            #expect(throws: SettingClash(name: "speed", owners: ["one", "two"])) {
                _ = try SettingsTable(pieces: [piece("one", knob("speed")), piece("two", other)])
            }
        }
        #expect(throws: SettingClash(name: "idle", owners: ["thrumd", "one"])) { _ = try SettingsTable(pieces: [piece("one", knob("idle"))]) }
    }
}
