import ColorScroller
import Experience
import Signals
import Testing
import Wire

@Suite struct NotificationTests {
    private func text(_ announcement: Announcement) -> String { String(decoding: Notification(announcement).line(number: 7), as: UTF8.self) }

    @Test func `an announcement is a notification of its topic, spelled as the documentation has it`() {
        let skin = Skin(id: "lava", name: "Lava", rarity: .rare, look: .gradient([Color(0x3D0000), Color(0xD00000)], angle: 90))
        #expect(text(Announcement(Unlocked(skin: skin, index: 61, pausedUntil: 12.5))) == """
            {"jsonrpc":"2.0","method":"unlock","params":{"number":7,"index":61,"pausedUntil":12.5,"skin":\
            {"angle":90,"colors":["#3d0000","#d00000"],"id":"lava","kind":"gradient","name":"Lava","rarity":"rare"}}}

            """)
        #expect(text(Announcement(Toast(rarity: .common, name: "Crimson"))) == """
            {"jsonrpc":"2.0","method":"toast","params":{"number":7,"name":"Crimson","rarity":"common"}}

            """)
        #expect(text(Announcement(SessionAnnouncement(.began))) == """
            {"jsonrpc":"2.0","method":"session","params":{"number":7,"phase":"began"}}

            """)
        let reward = Card(index: 9, face: .gray(Color(gray: 7)))
        #expect(text(Announcement(Intervention(.high, pChurn: 0.75, reward: reward, taunt: "You just passed void_echo!"))) == """
            {"jsonrpc":"2.0","method":"intervention","params":{"number":7,"pChurn":0.75,"reward":{"color":"#070707","face":"gray","index":9},\
            "strength":"high","taunt":"You just passed void_echo!"}}

            """)
        #expect(text(Announcement(PaletteMade(seed: 255, skins: []))) == """
            {"jsonrpc":"2.0","method":"palette","params":{"number":7,"seed":"0x00000000000000ff","skins":[]}}

            """)
        #expect(text(Announcement(Leaderboard(rows: [Leaderboard.Row(name: "you", score: 3, isVisitor: true)]))) == """
            {"jsonrpc":"2.0","method":"leaderboard","params":{"number":7,"rows":[{"isVisitor":true,"name":"you","score":3}]}}

            """)
    }

    @Test func `what was missed is told as a number`() {
        #expect(String(decoding: Notification.missed(12).line(number: 3), as: UTF8.self)
            == "{\"jsonrpc\":\"2.0\",\"method\":\"missed\",\"params\":{\"number\":3,\"count\":12}}\n")
    }
}
