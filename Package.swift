// swift-tools-version: 6.2
import PackageDescription

// The floor plan. An import may only point down; a test reads this file and the sources and keeps it so.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    // Swift 6.2, which builds for arm64, wants to be told on what each span depends that a function with several changes.
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

// Rooms that compute are optimized in debug builds, too: tests render much sound and play years of visits.
let optimized = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
let computing: Set = ["Base", "Core", "Sound", "Experiences"]

func room(
    _ name: String, in group: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", exclude: exclude, resources: resources,
            swiftSettings: computing.contains(group) ? optimized : strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/Apps/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let webSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// What is listed further down may import what is listed further up.

let base: [Target] = [
    room("Units", in: "Base"),
    room("Realtime", in: "Base"),
    room("JSON", in: "Base"),
    room("Fields", in: "Base", ["JSON"]),
    room("Calendar", in: "Base"),
    room("Escaping", in: "Base"),
]
let signals: [Target] = [
    .target(name: "Signals", dependencies: ["Calendar", "Fields", "Units"], swiftSettings: optimized),
]
let core: [Target] = [
    room("Classifier", in: "Core"),
    room("Experience", in: "Core", ["Calendar", "Classifier", "Fields", "JSON", "Signals", "Units"]),
    room("Publishing", in: "Core", ["Experience", "Fields", "Signals"]),
    room("Gestures", in: "Core", ["Signals"]),
    room("Venue", in: "Core", ["Calendar", "Fields", "Signals", "Units"]),
    room("YAML", in: "Core", ["Fields", yams]),
    room("Journal", in: "Core", ["Fields", "JSON", "Signals", "Units"]),
    room("Conductor", in: "Core", ["Calendar", "Experience", "Fields", "Journal", "Signals", "Units"]),
]
let sound: [Target] = [
    room("Synth", in: "Sound", ["Realtime", "Signals", "Units"]),
]
let haptics: [Target] = [
    .target(name: "Haptics", dependencies: ["Fields", "JSON", "Signals", "Units"], swiftSettings: optimized),
]
let patternWaveforms: [Target] = [
    room("PatternWaveforms", in: "Sound", ["Haptics", "Signals", "Synth", "Units"]),
]
let experiences: [Target] = [
    room("Direct", in: "Experiences", ["Experience", "Fields", "Signals", "Units"]),
    room("ColorScroller", in: "Experiences", ["Calendar", "Classifier", "Experience", "Fields", "Signals", "Units"]),
    // Its texts are compiled in: links to those of messages/scrollkitty, whose names differ by language.
    room("ScrollKitty", in: "Experiences", ["Calendar", "Experience", "Fields", "Signals", "Units", "YAML"],
         resources: [.embedInCode("Texts")]),
    room("Unhooked", in: "Experiences", ["Calendar", "Experience", "Fields", "Signals", "Units"]),
    room("Registry", in: "Experiences", ["ColorScroller", "Direct", "Experience", "ScrollKitty", "Unhooked"]),
]
let wire: [Target] = [
    room("Wire", in: "Core", ["Calendar", "Experience", "Fields", "JSON", "Publishing", "Signals", "Units"]),
    room("Settings", in: "Core", ["Experience", "Fields", "Signals", "Units", "Wire"]),
    room("Kiosk", in: "Core", ["Fields", "Wire"]),
    room("Fleet", in: "Core", ["Fields", "JSON", "Journal", "Signals", "Units"]),
]
let edges: [Target] = [
        .systemLibrary(name: "CAlsa", path: "CAlsa"),
    .systemLibrary(name: "CPulse", path: "CPulse"),
    .systemLibrary(name: "CSndfile", path: "CSndfile"),
    .systemLibrary(name: "CEbur128", path: "CEbur128"),
    .systemLibrary(name: "CEvdev", path: "CEvdev"),
    .systemLibrary(name: "CLinux", path: "CLinux"),
    .systemLibrary(name: "CMtdev", path: "CMtdev"),
    .systemLibrary(name: "CCrypto", path: "CCrypto"),
    // The others may import it; apart from it no edge imports another.
    room("Files", in: "Edges", ["CCrypto", "Fields", system]),
    .systemLibrary(name: "CPng", path: "CPng"),
    .systemLibrary(name: "CSamplerate", path: "CSamplerate"),
    room("AudioOutput", in: "Edges", ["CAlsa", "CLinux", "CPulse", "Realtime", "Synth", "Units"]),
    room("Evdev", in: "Edges", ["CEvdev", "CLinux", "CMtdev", "Fields", "Files", "Haptics", "Signals", system] + nio),
    room("ModelFile", in: "Edges", ["Classifier", "Fields", "Files", protobuf, system], exclude: ["Specification/model.proto"]),
    room("ThemeFile", in: "Edges", ["Fields", "Files", "Signals", "Units", "YAML", system, yams]),
    room("SettingsFile", in: "Edges", ["Fields", "Files", "YAML", system, yams]),
    room("Systemd", in: "Edges", ["CLinux", "Escaping", "Fields", logging]),
    room("PatternFile", in: "Edges", ["Fields", "Files", "Haptics", "Signals", system]),
    room("Processes", in: "Edges", ["CLinux", "Files", system]),
    room("SoundFile", in: "Edges", ["CSamplerate", "CSndfile", "Fields", "Files", "Signals", "Synth", "Units", system]),
    room("Loudness", in: "Edges", ["CEbur128", "Units"]),
    room("PNG", in: "Edges", ["CPng"]),
    room("ControlSocket", in: "Edges", ["CLinux", "Fields", "Files", "Signals", "Wire", webSocket] + nio),
    room("HTTPServer", in: "Edges", ["CLinux", "Files", "Wire", webSocket, .product(name: "NIOHTTP1", package: "swift-nio")] + nio),
    room("JournalFile", in: "Edges", ["CCrypto", "Fields", "Files", "Journal", "Signals", "Units", system]),
    room("SignedReceipts", in: "Edges", ["CCrypto", "Experience", "Fields", "JSON"]),
    .systemLibrary(name: "CMosquitto", path: "CMosquitto"),
    .systemLibrary(name: "CPq", path: "CPq"),
    room("Broker", in: "Edges", ["CMosquitto", "Fields", system]),
    room("Database", in: "Edges", ["CPq", "Calendar", "Fields", "Fleet", "JSON"]),
    room("StateStore", in: "Edges", ["Experience", "Fields", "Files", "Publishing", "Signals", "Units", "Venue", "Wire", grdb, system]),
]
let apps: [Target] = [
    room("Offline", in: "Apps", ["Calendar", "Classifier", "Escaping", "Experience", "Fields", "Files", "Haptics", "Journal", "JournalFile", "Loudness", "ModelFile", "PatternWaveforms",
                                 "Signals", "SoundFile", "Synth", "Units", "Venue", system]),
    room("Live", in: "Apps", ["AudioOutput", "CLinux", "Calendar", "Conductor", "ControlSocket", "Evdev", "Experience", "Fields",
                              "Files", "Gestures", "HTTPServer", "Haptics", "JSON", "Journal", "JournalFile", "ModelFile", "Offline", "PatternWaveforms",
                              "Processes", "Publishing", "Realtime", "Settings", "Signals", "SignedReceipts", "SoundFile", "StateStore", "Synth", "Systemd", "ThemeFile", "Units", "Venue", "Wire", "YAML", logging, system] + nio),
    room("Daemon", in: "Apps", ["CLinux", "ControlSocket", "Direct", "Escaping", "Evdev", "Experience", "Fields", "Files", "HTTPServer", "Journal", "JournalFile", "Kiosk", "Live", "ModelFile", "Offline",
                                "PatternFile", "Processes",
                                "Settings", "SettingsFile", "Signals", "SignedReceipts", "SoundFile", "Systemd", "ThemeFile", "Units", "Venue", "Wire", "YAML",
                                arguments, logging, system]),
    room("Tool", in: "Apps", ["AudioOutput", "CLinux", "Classifier", "ControlSocket", "Escaping", "Evdev", "Experience", "Fields", "Files", "Haptics", "Journal", "JournalFile", "Kiosk",
                              "ModelFile", "Offline", "PNG", "PatternFile", "Processes", "Publishing", "Settings", "SettingsFile", "Signals", "SoundFile", "Synth", "Systemd", "ThemeFile",
                              "Units", "Venue", "Wire", "YAML", arguments, system]),
    // Short to build on purpose: no sound, no piece, no NIO.
    room("FleetTool", in: "Apps", ["Broker", "Database", "Escaping", "Fields", "Files", "Fleet", "JSON", "Journal", "JournalFile", "Processes", "Signals", "Wire",
                                   arguments, system]),
    program("thrumd", ["Daemon", "Registry"]),
    program("thrum", ["Registry", "Tool"]),
    program("thrum-fleet", ["FleetTool"]),
]
let benchmarks: [Target] = [
    .executableTarget(name: "RevisionBenchmark", dependencies: ["Realtime", "Signals", "Synth", "Units"],
                      path: "Benchmarks/Revision", swiftSettings: strict),
    .executableTarget(name: "ReducerBenchmark", dependencies: ["ColorScroller", "Experience", "Journal", "Offline", "Signals", "Units"],
                      path: "Benchmarks/Reducer", swiftSettings: strict),
    .executableTarget(name: "HouseholdTrial", dependencies: ["Households"], path: "Benchmarks/Households", swiftSettings: strict),
    .executableTarget(name: "PetTrial", dependencies: ["PetHouseholds"], path: "Benchmarks/Pets", swiftSettings: strict),
    .executableTarget(name: "ModelTrial", dependencies: ["Classifier", "Fields", "ModelFile", system], path: "Benchmarks/Model", swiftSettings: strict),
    .executableTarget(name: "Fuzz", dependencies: [
        "Classifier", "Experience", "Fields", "Haptics", "JSON", "Journal", "ModelFile", "Registry", "SignedReceipts", "Signals", "Wire",
    ], path: "Fuzz", exclude: ["corpus", "seeds.py"], swiftSettings: strict),
]
let testing: [Target] = [
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    .systemLibrary(name: "CUinput", path: "Tests/CUinput"),
    .target(name: "TestSupport", dependencies: ["CPulse", "CSpawn"], path: "Tests/TestSupport", swiftSettings: strict),
    tests("Units", ["Units"]),
    tests("JSON", ["JSON", "TestSupport"]),
    tests("Realtime", ["Realtime"]),
    tests("Fields", ["Fields", "JSON"]),
    tests("Calendar", ["Calendar", "TestSupport"], exclude: ["civil_time.py"]),
    tests("Escaping", ["Escaping"]),
    tests("Signals", ["Signals", "Units"]),
    tests("Classifier", ["Classifier"]),
    tests("Experience", ["Calendar", "Experience", "Fields", "Signals", "Units"]),
    tests("Publishing", ["Experience", "Fields", "PiggyBank", "Publishing", "Signals"]),
    tests("Direct", ["Direct", "Experience", "Fields", "Signals", "Units"]),
    tests("Registry", ["Experience", "Fields", "Registry", "Signals", "TestSupport", "Units"]),
    tests("ColorScroller", ["Calendar", "Classifier", "ColorScroller", "Direct", "Experience", "Fields", "Signals", "Units"], exclude: ["palette.py"]),
    .target(name: "HouseholdRun", dependencies: ["Calendar", "Experience", "Fields", "Signals", "TestSupport", "Units"], path: "Tests/HouseholdRun",
            swiftSettings: strict),
    .target(name: "Households", dependencies: ["Fields", "HouseholdRun", "ScrollKitty", "TestSupport"],
            path: "Tests/Households", swiftSettings: strict),
    tests("ScrollKitty", ["Calendar", "Experience", "Fields", "Households", "ScrollKitty", "Signals", "TestSupport", "Units", "YAML"]),
    .target(name: "PetHouseholds", dependencies: ["Experience", "Fields", "HouseholdRun", "TestSupport", "Unhooked"],
            path: "Tests/PetHouseholds", swiftSettings: strict),
    tests("Unhooked", ["Calendar", "Experience", "Fields", "Journal", "Offline", "PetHouseholds", "Signals", "TestSupport", "Unhooked", "Units"]),
    tests("Synth", ["Realtime", "Signals", "Synth", "TestSupport", "Units"]),
    tests("PatternWaveforms", ["PatternWaveforms", "Signals", "Units"]),
    tests("YAML", ["Fields", "YAML"]),
    tests("Venue", ["Calendar", "Fields", "Realtime", "Signals", "Synth", "TestSupport", "Units", "Venue", yams]),
    tests("ModelFile", ["Classifier", "Fields", "Files", "ModelFile", "TestSupport", protobuf, system], exclude: ["models.py", "mutations.py"]),
    tests("ThemeFile", ["Fields", "PatternFile", "Signals", "TestSupport", "ThemeFile", "Units", "YAML", system]),
    tests("SettingsFile", ["Evdev", "SettingsFile", "Signals", "TestSupport", "YAML", system]),
    tests("PatternFile", ["Fields", "PatternFile", "Signals", "TestSupport", system]),
    tests("Haptics", ["Fields", "Haptics", "Signals", "Synth", "TestSupport", "Units"]),
    tests("Wire", ["Experience", "Fields", "JSON", "Signals", "TestSupport", "Units", "Wire"]),
    tests("Kiosk", ["Fields", "Kiosk", "Wire"]),
    tests("Fleet", ["Calendar", "Fields", "Fleet", "Journal", "Signals", "Units"]),
    tests("Broker", ["Broker", "Fields", system]),
    tests("Database", ["Database"]),
    tests("FleetTool", ["Fleet", "FleetTool", "Journal", "JournalFile", "Signals", "TestSupport", "Units", "Wire", system]),
    tests("Processes", ["Processes", "TestSupport", system]),
    tests("Journal", ["Calendar", "ColorScroller", "Direct", "Experience", "Fields", "Journal", "Signals", "Units"]),
    tests("Loudness", ["CEbur128", "Loudness", "TestSupport", "Units"]),
    tests("PNG", ["PNG", "TestSupport"]),
    tests("SoundFile", ["CSndfile", "Fields", "SoundFile", "TestSupport", "Units", system]),
    tests("Conductor", ["Calendar", "Classifier", "ColorScroller", "Conductor", "Direct", "Experience", "Fields", "Foreteller", "Journal",
                        "Metronome", "PiggyBank", "Signals", "TestSupport", "Units"]),
    tests("JournalFile", ["Direct", "Fields", "Journal", "JournalFile", "Signals", "TestSupport", "Units", system]),
    tests("SignedReceipts", ["Experience", "SignedReceipts", "TestSupport"], exclude: ["receipts.py"]),
    .executableTarget(name: "StateWriter", dependencies: ["Experience", "Fields", "StateStore", system], path: "Tests/StateWriter", swiftSettings: strict),
    tests("StateStore", ["Experience", "Fields", "Publishing", "Signals", "StateStore", "StateWriter", "TestSupport", "Units", "Venue", "Wire", grdb, system]),
    tests("HTTPServer", ["Files", "HTTPServer", "TestSupport", "Wire", .product(name: "NIOEmbedded", package: "swift-nio"),
          .product(name: "NIOHTTP1", package: "swift-nio")] + nio),
    tests("ControlSocket", ["ControlSocket", "Fields", "Files", "Signals", "TestSupport", "Wire"] + nio),
    tests("AudioOutput", ["AudioOutput", "CAlsa", "Realtime", "Signals", "Synth", "TestSupport", "Units"]),
    tests("Live", ["AudioOutput", "CLinux", "Calendar", "Classifier", "ColorScroller", "Conductor", "ControlSocket", "Direct", "Evdev", "Experience",
          "Fields", "Files", "Foreteller", "HTTPServer", "Journal", "JournalFile", "Live", "Offline", "PatternWaveforms", "PiggyBank", "Publishing", "Realtime", "Registry",
          "Settings", "Signals", "StateStore", "Synth", "Systemd", "TestSupport", "Unhooked", "Units",
          "Venue", "Wire", grdb, logging, system, .product(name: "NIOEmbedded", package: "swift-nio")] + nio),
    tests("Offline", ["Calendar", "Classifier", "ColorScroller", "Direct", "Experience", "Fields", "Files", "Foreteller", "Haptics", "Journal", "JournalFile",
          "Loudness", "ModelFile", "Offline",
          "PatternWaveforms", "Registry", "Signals", "SoundFile", "TestSupport", "Units", "Venue", system]),
    tests("Gestures", ["Gestures", "Signals"]),
    tests("Evdev", ["CEvdev", "Evdev", "Fields", "SettingsFile", "Signals", "TestSupport", "YAML"] + nio),
    tests("Systemd", ["Fields", "Signals", "Systemd", "TestSupport", logging]),
    tests("Files", ["Fields", "Files", "TestSupport", system]),
    tests("FloorPlan", ["TestSupport"]),
    // A piece to throw away, which proves that a piece is added by its folder, a line here and a line where the pieces are listed.
    .target(name: "Metronome", dependencies: ["Calendar", "Experience", "Fields", "Signals", "Units"], path: "Tests/Metronome/Piece", swiftSettings: strict),
    // Another, whose run is a household's.
    .target(name: "PiggyBank", dependencies: ["Calendar", "Experience", "Fields", "Signals"], path: "Tests/PiggyBank", swiftSettings: strict),
    // A third, which predicts.
    .target(name: "Foreteller", dependencies: ["Classifier", "Experience", "Fields", "Signals"], path: "Tests/Foreteller", swiftSettings: strict),
    .executableTarget(name: "metronomed", dependencies: ["Daemon", "Metronome", "PiggyBank", "Registry"], path: "Tests/Metronome/Daemon", swiftSettings: strict),
    .executableTarget(name: "metronome-tool", dependencies: ["Metronome", "PiggyBank", "Registry", "Tool"], path: "Tests/Metronome/Tool", swiftSettings: strict),
    // Run in a virtual machine: only a kernel of our own has input devices of our own making.
    .testTarget(name: "GuestTests", dependencies: ["CUinput", "TestSupport"], path: "Tests/VM/GuestTests", swiftSettings: strict),
    tests("Settings", ["Experience", "Fields", "Settings", "Signals", "Units"]),
    tests("Daemon", ["ControlSocket", "Daemon", "Direct", "Experience", "Foreteller", "Live", "Registry", "Settings", "Signals", "TestSupport", "Units",
                     "Wire", logging, system]),
    tests("Tool", ["Classifier", "Experience", "Fields", "Journal", "Live", "Offline", "Publishing", "Registry", "SettingsFile", "Signals", "TestSupport", "Tool",
          "Units", "Wire", arguments, system]),
    tests("Acceptance", ["CSpawn", "ColorScroller", "Direct", "Escaping", "Experience", "Fields", "Journal", "JournalFile", "Metronome", "Offline", "Registry", "Signals",
          "SoundFile", "Synth", "TestSupport", "Tool", "Units", "Wire", system],
          exclude: ["crowd.py", "forgetful.py", "generators", "hostile", "ledger_load.py", "openrpc.schema.json", "page.html", "page_server.py", "pages", "wave_chunks.py"]),
]

let package = Package(
    name: "Thrum",
    products: [
        .executable(name: "thrumd", targets: ["thrumd"]),
        .executable(name: "thrum", targets: ["thrum"]),
        .executable(name: "thrum-fleet", targets: ["thrum-fleet"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ],
    targets: base + signals + core + sound + haptics + patternWaveforms + experiences + wire + edges + apps + benchmarks + testing
)
