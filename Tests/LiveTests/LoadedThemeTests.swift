import ColorScroller
import Foundation
import Testing

@testable import Live

/// Themes that clients bring.
@Suite struct LoadedThemeTests {
    /// The JSON of `theme.load`'s parameters.
    private func parameters(_ yaml: String) throws -> String {
        String(decoding: try JSONEncoder().encode(["yaml": yaml]), as: UTF8.self)
    }

    @Test func `a theme that a client brings is used at once, is listed, and can be left and chosen again by its name`() async throws {
        let rig = try StageRig(ColorScroller.self)
        _ = try await rig.connect(1, as: .operator)
        let answer = try await rig.askPatiently(1, "theme.load", try parameters("name: mine\ntoneCurve: {start: A4}\n"))
        #expect(answer == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(await rig.stage.played == ["mine", "440.0"])
        #expect(try await rig.ask(1, "theme.list", "{}")?.contains(#""mine""#) == true)
        _ = try await rig.askPatiently(1, "theme.load", try parameters("name: other\n"))
        _ = try await rig.ask(1, "theme.set", #"{"name":"mine"}"#)
        #expect(await rig.stage.played == ["mine", "440.0"])
        try await rig.stop()
    }

    @Test func `what this theme lacks and another has is refused with the other's name`() async throws {
        let rig = try StageRig(ColorScroller.self)
        _ = try await rig.connect(1, as: .operator)
        _ = try await rig.askPatiently(1, "theme.load", try parameters("name: mine\nchimes:\n  gong: [{frequency: A2}]\n"))
        _ = try await rig.askPatiently(1, "theme.load", try parameters("name: other\n"))
        let refused = try #require(try await rig.ask(1, "chime.play", #"{"name":"gong"}"#))
        #expect(refused.contains(#""found":"\"gong\", which is in mine""#), "\(refused)")
        #expect(try await rig.ask(1, "chime.play", #"{"name":"dong"}"#)?.contains("which is in") == false)
        try await rig.stop()
    }

    @Test func `a bad one is refused with its line, and one that the piece cannot do with by what it lacks; the one before goes on`() async throws {
        let rig = try StageRig(ColorScroller.self)
        _ = try await rig.connect(1, as: .operator)
        let before = await rig.stage.played
        for (yaml, reason) in [
            ("ceiling: -3\nchimes:\n  ding:\n    - {frequency: 5}\n", "yaml:4: chimes.ding[0].frequency: expected a number from 20"),
            ("chimes:\n  ding: none\n", "expected a theme with the chime ding, which colorscroller asks for"),
            ("haptics:\n  swipe: {ahap: swipe.ahap}\n", "haptics.swipe.ahap: expected the pattern itself"),
            ("haptics:\n  swipe: {sounds: [{file: /nowhere/click.wav}]}\n", "/nowhere/click.wav"),
        ] {
            let answer = try #require(try await rig.askPatiently(1, "theme.load", try parameters(yaml)))
            #expect(answer.contains(#""code":-32000"#) && answer.contains(reason), "\(answer)")
            #expect(await rig.stage.played == before)
        }
        try await rig.stop()
    }
}

extension Stage {
    /// The theme's name, and where its tone begins.
    fileprivate var played: [String] { [conductor.theme.name, "\(conductor.theme.toneCurve.start.rawValue)"] }
}
