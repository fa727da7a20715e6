// swift-tools-version: 6.2
import PackageDescription

// The floor plan. An import may only point down; a test reads this file and the sources and keeps it so.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let webSocket: [Target.Dependency] = [
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOWebSocket", package: "swift-nio"),
]
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let floor0: [Target] = [
    room("Units"),
    room("Realtime"),
]
let floor1: [Target] = [
    room("Signals", ["Units"]),
]
let floor2: [Target] = [
    room("Experience", ["Signals", "Units"]),
    room("Synth", ["Realtime", "Signals", "Units"]),
    room("Haptics", ["Signals", "Units"]),
    room("Gestures", ["Signals"]),
    room("Venue", ["Signals", "Units"]),
    room("YAML", ["Signals", yams]),
    room("Wire", ["Signals", "Units"]),
    room("Journal", ["Signals", "Units"]),
]
let floor3: [Target] = [
    // The others of this floor may import it.
    room("Files", ["Signals", system]),
    .systemLibrary(name: "CPulse", path: "CPulse"),
    .systemLibrary(name: "CSndfile", path: "CSndfile"),
    .systemLibrary(name: "CEvdev", path: "CEvdev"),
    .systemLibrary(name: "CLinux", path: "CLinux"),
    .systemLibrary(name: "CSamplerate", path: "CSamplerate"),
    room("AudioOutput", ["CLinux", "CPulse", "Realtime", "Synth", "Units"]),
    room("Evdev", ["CEvdev", "CLinux", "Haptics", "Signals", system] + nio),
    room("ThemeFile", ["Files", "Signals", "Units", "YAML", system, yams]),
    room("SettingsFile", ["Files", "Signals", "YAML", system, yams]),
    room("Systemd", ["CLinux", "Signals", logging]),
    room("PatternFile", ["Files", "Haptics", "Signals", system]),
    room("SoundFile", ["CSamplerate", "CSndfile", "Files", "Signals", "Units", system]),
    room("ControlSocket", ["CLinux", "Files", "Signals", "Wire"] + nio + webSocket),
    room("JournalFile", ["Journal", "Signals", "Units", system]),
    room("Conductor", ["Experience", "Journal", "Signals", "Units"]),
    room("Repertoire", ["Experience", "Haptics", "Signals", "Synth", "Units"]),
]
let floor4: [Target] = [
    room("Live", ["CLinux", "Conductor", "ControlSocket", "Evdev", "Experience", "Files", "Gestures", "Haptics", "Journal", "JournalFile", "AudioOutput", "Realtime",
                  "Repertoire", "Signals", "SoundFile", "Synth", "Systemd", "Units", "Venue", "Wire", logging, system] + nio),
    room("Offline", ["Experience", "Haptics", "Journal", "JournalFile", "Repertoire", "Signals", "SoundFile", "Synth", "Units", system,
                     .product(name: "Histogram", package: "hdrhistogram-swift")]),
]
let floor5: [Target] = [
    program("thrumd", ["AudioOutput", "ControlSocket", "Evdev", "Files", "Journal", "JournalFile", "Live", "PatternFile", "SettingsFile",
                       "SoundFile", "Signals", "Systemd", "ThemeFile", "Units", "Venue", "YAML",
                       arguments, logging, system,
                       .product(name: "Configuration", package: "swift-configuration"),
                       .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                       .product(name: "UnixSignals", package: "swift-service-lifecycle")]),
    program("thrum", ["AudioOutput", "CLinux", "ControlSocket", "Evdev", "Haptics", "Journal", "JournalFile", "Offline", "PatternFile",
                      "SettingsFile", "Signals", "SoundFile", "Synth", "ThemeFile", "Units", "Wire", "YAML",
                      arguments, system]),
]
let benchmarks: [Target] = [
    .executableTarget(name: "RevisionBenchmark", dependencies: ["Realtime", "Signals", "Synth", "Units"],
                      path: "Benchmarks/Revision", swiftSettings: strict),
    .executableTarget(name: "ReducerBenchmark", dependencies: ["Experience", "Journal", "Offline", "Signals", "Units"],
                      path: "Benchmarks/Reducer", swiftSettings: strict),
    .executableTarget(name: "Fuzz", dependencies: ["Haptics", "Journal", "Signals", "Wire"], path: "Fuzz", exclude: ["corpus"],
                      swiftSettings: strict),
]
let testing: [Target] = [
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    .systemLibrary(name: "CUinput", path: "Tests/CUinput"),
    .target(name: "TestSupport", dependencies: ["CPulse", "CSpawn"], path: "Tests/TestSupport", swiftSettings: strict),
    tests("Units", ["Units"]),
    tests("Realtime", ["Realtime"]),
    tests("Signals", ["Signals", "Units"]),
    tests("Experience", ["Experience", "Signals", "Units"], exclude: ["ColorScroller/palette.py"]),
    tests("Synth", ["Realtime", "Signals", "Synth", "TestSupport", "Units"]),
    tests("Venue", ["Realtime", "Signals", "Synth", "Units", "Venue", yams]),
    tests("ThemeFile", ["PatternFile", "Signals", "TestSupport", "ThemeFile", "Units", "YAML", system]),
    tests("Haptics", ["Haptics", "Signals", "Synth", "TestSupport", "Units"]),
    tests("Wire", ["Signals", "TestSupport", "Units", "Wire"]),
    tests("Journal", ["Journal", "Signals", "Units"]),
    tests("SoundFile", ["CSndfile", "SoundFile", "TestSupport", "Units", system]),
    tests("Conductor", ["Conductor", "Experience", "Journal", "Signals", "Units"]),
    tests("JournalFile", ["Journal", "JournalFile", "Signals", "TestSupport", "Units", system]),
    tests("ControlSocket", ["ControlSocket", "Files", "Signals", "TestSupport", "Wire"] + nio),
    tests("AudioOutput", ["AudioOutput", "Realtime", "Signals", "Synth", "TestSupport", "Units"]),
    tests("Live", ["AudioOutput", "Files", "Journal", "JournalFile", "Live", "Realtime", "Signals", "Synth", "TestSupport", "Units", "Venue", logging,
                  system] + nio),
    tests("Offline", ["Haptics", "Journal", "JournalFile", "Offline", "Repertoire", "Signals", "SoundFile", "TestSupport", "Units", system]),
    tests("Gestures", ["Gestures", "Signals"]),
    tests("Evdev", ["CEvdev", "Evdev", "SettingsFile", "Signals", "TestSupport", "YAML"]),
    tests("Systemd", ["Signals", "Systemd", "TestSupport", logging]),
    tests("Files", ["Files", "Signals", "TestSupport", system]),
    tests("FloorPlan", ["TestSupport"]),
    // Run in a virtual machine: only a kernel of our own has input devices of our own making.
    .testTarget(name: "GuestTests", dependencies: ["CUinput", "TestSupport"], path: "Tests/VM/GuestTests", swiftSettings: strict),
    tests("Acceptance", ["CSpawn", "Experience", "Journal", "Offline", "Signals", "TestSupport", "Units", "Wire", "thrum", "thrumd", system],
          exclude: ["crowd.py", "hostile", "openrpc.schema.json", "page.html", "page_server.py"]),
]

let package = Package(
    name: "Thrum",
    products: [
        .executable(name: "thrumd", targets: ["thrumd"]),
        .executable(name: "thrum", targets: ["thrum"]),
    ],
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [.defaults, "YAML"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: floor0 + floor1 + floor2 + floor3 + floor4 + floor5 + benchmarks + testing
)
