import Fields
import Foundation
import Signals
import Testing
import Units

@Suite struct RegionTests {
    private let button = Region(id: "next", label: "Next card", role: .button, x: 0.1, y: 0.2, width: 0.3, height: 0.4)
    private let text = #"{"id":"next","label":"Next card","role":"button","x":0.1,"y":0.2,"width":0.3,"height":0.4}"#

    private func read(_ text: String) throws -> Regions { try JSONDecoder().decode(Regions.self, from: Data(text.utf8)) }

    @Test func `regions are read in their order, and written so that they read back`() throws {
        let regions = try read("[\(text)]")
        #expect(regions == Regions([button]))
        #expect(try JSONDecoder().decode(Regions.self, from: JSONEncoder().encode(regions)) == regions)
        #expect(try read("[]") == Regions())
    }

    @Test func `more than 64 regions, an id that is there twice, and what is no region are refused`() throws {
        let many = (0...64).map { text.replacing("next", with: "\($0)") }.joined(separator: ",")
        for (text, fault) in [
            ("[\(many)]", "at most 64 regions, found 65"), ("[\(text),\(text)]", "each id once, found \"next\" twice"),
            ("[\(text.replacing("button", with: "dragon"))]", "one of button, slider, toggle, image, heading, text, found \"dragon\""),
            ("[\(text.replacing("0.3", with: "1.3"))]", "expected a number from 0 to 1"),
            ("[\(text.replacing(#""id":"next""#, with: #""id":"""#))]", "expected text of 1 to 64 characters"),
            ("[\(text.replacing("Next card", with: String(repeating: "x", count: 161)))]", "expected text of 1 to 160 characters"),
        ] {
            #expect { try read(text) } throws: { "\($0)".contains(fault) }
        }
    }

    @Test func `a region has its edges, and a margin goes round it`() {
        #expect(button.contains(0.1, 0.2) && button.contains(0.25, 0.4) && !button.contains(0.09, 0.4) && !button.contains(0.25, 0.61))
        #expect(button.contains(0.09, 0.4, tolerance: 0.02) && !button.contains(0.07, 0.4, tolerance: 0.02))
        #expect(abs(button.area - 0.12) < 1e-12)
    }

    @Test func `each role has an earcon of its own in the standard theme, short and below 1.2 kHz`() throws {
        let chimes = try (Region.Role.allCases.map(\.earcon) + ["explore-on", "explore-off", "explore-blank"]).map {
            try #require(Theme.standard.chimes[$0], "\($0)")
        }
        #expect(Set(chimes.map { $0.notes.map { "\($0.start) \($0.frequency)" } }).count == 9)
        for note in chimes.flatMap(\.notes) {
            #expect(note.start <= Seconds(0.3) && note.decay <= Seconds(0.3))
            #expect(note.partials.allSatisfy { note.frequency.rawValue * $0.ratio < 1_200 })
        }
        #expect(Theme.standard.haptics["explore-edge"]?.events.count == 1)
    }
}
