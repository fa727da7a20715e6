import Foundation
import PatternFile
import Signals
import SystemPackage
import TestSupport
import Testing
import ThemeFile
import Units

private func library(_ folders: String...) -> ThemeLibrary {
    ThemeLibrary(folders.map { FilePath($0) }) { try PatternFile.read($0).pattern }
}

@Suite struct ThemeLibraryTests {
    @Test func `the standard theme is there without a file`() {
        let library = library("/nowhere/at/all")
        #expect(library.names == ["standard"] && library["standard"]?.theme == .standard && library["standard"]?.file == nil)
        #expect(library.problems.isEmpty)
    }

    @Test func `of two of one name that of the later folder counts`() throws {
        let (first, second) = (try Scratch(), try Scratch())
        _ = try first.write("ceiling: -3\n", to: "a.yaml")
        _ = try first.write("ceiling: -4\n", to: "b.yaml")
        _ = try second.write("name: a\nceiling: -5\n", to: "other.yaml")
        let library = library(first.path, second.path)
        #expect(library.names == ["a", "b", "standard"])
        #expect(library["a"]?.theme.ceiling == Decibels(-5) && library["a"]?.file == FilePath(second.file("other.yaml")))
    }

    /// One that is waited for is a problem, so that one problem means that one was waited for.
    @Test func `a folder whose files do not answer is given up after the first, and the other folders are read`() throws {
        let (first, second) = (try Scratch(), try Scratch())
        let hanging = try ["b.yaml", "c.yaml", "d.yaml"].map { try HangingFile(first.write("ceiling: -3\n", to: $0)) }
        _ = try first.write("ceiling: -3\n", to: "a.yaml")
        _ = try second.write("ceiling: -4\n", to: "e.yaml")
        let library = library(first.path, second.path)
        withExtendedLifetime(hanging) {}
        #expect(library.names == ["a", "e", "standard"])
        let words = "\(first.file("b.yaml")): expected a file that answers within 5 s, found one that does not answer"
        #expect(library.problems.map(\.description) == [words])
    }

    @Test func `a bad file hides neither the others nor an earlier one of its name`() throws {
        let (first, second) = (try Scratch(), try Scratch())
        _ = try first.write("ceiling: -3\n", to: "a.yaml")
        let bad = try second.write("ceiling: 3\n", to: "a.yaml")
        _ = try second.write("ceiling: -4\n", to: "b.yaml")
        let twin = try second.write("\nname: b\n", to: "c.yaml")
        for name in [".hidden.yaml", "notes.txt"] { _ = try second.write("nonsense: 1\n", to: name) }
        try FileManager.default.createDirectory(atPath: second.file("folder.yaml"), withIntermediateDirectories: false)
        let library = library(first.path, second.path)
        #expect(library.names == ["a", "b", "standard"] && library["a"]?.theme.ceiling == Decibels(-3))
        #expect(library.problems.map(\.description) == [
            "\(bad):1: ceiling: expected a number from -60 to 0 (dBFS), found 3",
            "\(twin):2: name: expected a name that \(second.file("b.yaml")) does not have, found \"b\"",
        ])
    }

    @Test func `folders are looked for where the environment says`() {
        #expect(ThemeLibrary.folders([:]) == [FilePath(repository + "/themes"), "/etc/thrum/themes"])
        #expect(ThemeLibrary.folders(["HOME": "/home/me"]).last == "/home/me/.config/thrum/themes")
        #expect(ThemeLibrary.folders(["HOME": "/home/me", "XDG_CONFIG_HOME": "/conf"], extra: "here").suffix(2) == ["/conf/thrum/themes", "here"])
    }

    @Test func `what is shipped is good, and has what ColorScroller plays`() throws {
        let library = library(repository + "/themes")
        #expect(library.problems.isEmpty && library.entries.count >= 5)
        for entry in library.entries {
            let (theme, name) = (entry.theme, entry.theme.name)
            #expect(entry.file == FilePath(repository + "/themes/\(name).yaml"))
            let unlock = try #require(theme.chimes["unlock"], "\(name)")
            #expect(unlock.notes.count == 2 && unlock.notes[0].start < unlock.notes[1].start && unlock.notes[0].frequency < unlock.notes[1].frequency)
            #expect(theme.chimes["ding"] != nil && ["touch-down", "swipe", "unlock", "surprise"].allSatisfy { theme.haptics[$0] != nil }, "\(name)")
            let back = try ThemeFile(Array(theme.yaml().utf8), path: "back.yaml") { try PatternFile.read($0).pattern }
            #expect(back.theme == theme)
        }
        // The theme brisk is the standard one but for its tone.
        let own = library.entries.filter { $0.theme.name != "brisk" }
        #expect(Set(own.compactMap { $0.theme.chimes["unlock"]?.notes.map(\.frequency) }).count == own.count)
        #expect(library["brisk"]?.theme.toneCurve.views == 150 && library["brisk"]?.theme.chimes == Theme.standard.chimes)
    }

    @Test func `the shipped standard theme is the one that is built in, word for word`() throws {
        let head = """
            # standard: the theme that thrumd has without a file. This file says all of it, so that it can be copied and changed;
            # `thrum theme check FILE` says what is wrong, `thrum theme show FILE --wav chimes.wav` plays the chimes. See docs/themes.md.
            # It is made out of Sources/Signals/Theme.swift by `make docs`.

            """
        #expect(try GeneratedText.isWritten(head + Theme.standard.yaml(), in: "themes/standard.yaml"))
        #expect(library(repository + "/themes")["standard"]?.theme == .standard)
    }

    @Test func `velvet stays below 1.2 kHz`() throws {
        let theme = try #require(library(repository + "/themes")["velvet"]?.theme)
        let pitches = theme.chimes.values.flatMap(\.notes).flatMap { note in note.partials.map { note.frequency.rawValue * $0.ratio } }
        #expect(theme.toneCurve.cap <= Hertz(1200) && pitches.allSatisfy { $0 <= 1200 } && theme.ceiling <= Decibels(-12))
    }
}
