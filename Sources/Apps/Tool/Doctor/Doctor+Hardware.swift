import Files
import FoundationEssentials
import Glibc
import Kiosk
import Processes
import SystemPackage
import Wire

/// Looks at sound cards, and at PipeWire.
extension Doctor {
    /// Checks the cards for what delays sound.
    func checkCards(_ status: StatusReport?) -> [Diagnosis] {
        let isPipeWire = playsOnPipeWire(status)
        let rewindsOff = KernelFiles.word(SoundFirmware.parameter)
        return SoundCard.list(KernelFiles.text("/proc/asound/cards") ?? "").compactMap { card in
            if card.isUSB {
                let stream = KernelFiles.text("/proc/asound/card\(card.number)/stream0").map { USBSound($0) }
                let code = KernelFiles.word("/sys/class/sound/card\(card.number)/device/bInterfaceClass")
                return stream?.judge(card, classCode: code)
            }
            let device = KernelFiles.resolved("/sys/class/sound/card\(card.number)/device")
            guard card.isFirmware(drivers: Self.drivers(above: device)) else { return nil }
            return SoundFirmware.judge(card, rewindsOff: rewindsOff, isPipeWire: isPipeWire)
        }
    }

    /// Returns the names of the kernel's drivers of a device in /sys, and of the devices that it is part of.
    private static func drivers(above device: String?) -> [String] {
        var drivers: [String] = []
        var path = FilePath(device ?? "/")
        while path.components.count > 2 {
            if let driver = KernelFiles.resolved(path.appending("driver").string) {
                drivers.append(FilePath(driver).lastComponent?.string ?? "")
            }
            path.removeLastComponent()
        }
        return drivers
    }

    /// Whether thrumd plays on PipeWire, by its own word; or, where it is not there to be asked, would, because this user has one.
    private func playsOnPipeWire(_ status: StatusReport?) -> Bool {
        if let status { return status.output.server?.contains("PipeWire") == true }
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
        return server == nil && environment["PULSE_SERVER"] == nil && runtime.map { KernelFiles.isThere($0 + "/pipewire-0") } == true
    }

    /// Checks PipeWire's blocks.
    func checkPipeWire(_ status: StatusReport?) -> [Diagnosis] {
        guard playsOnPipeWire(status) else { return [] }
        let environment = ProcessInfo.processInfo.environment
        return [(Self.told(environment) ?? PipeWireClock(files: Self.pipeWireFiles(environment))).diagnosis]
    }

    /// Asks PipeWire itself, by `pw-metadata`. Nil where that is not installed or gets no answer.
    private static func told(_ environment: [String: String]) -> PipeWireClock? {
        guard let pipe = try? FileDescriptor.pipe() else { return nil }
        defer { try? pipe.readEnd.close() }
        // Closed here, so that the pipe ends with the program. What it says fits into a pipe.
        let child = try? pipe.writeEnd.closeAfter {
            try FinishedProcess(running: "pw-metadata", ["-n", "settings"], environment: environment, output: pipe.writeEnd, patience: 5)
        }
        guard child?.status == 0, let bytes = try? pipe.readEnd.bytes(atMost: 65_536) else { return nil }
        return PipeWireClock(metadata: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads PipeWire's files. Returns their texts in the order in which they count (pipewire.conf(5)).
    private static func pipeWireFiles(_ environment: [String: String]) -> [String] {
        let own = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        let folders = [own, "/etc", "/usr/share"].map { $0 + "/pipewire" }
        let main = folders.lazy.compactMap { KernelFiles.text($0 + "/pipewire.conf") }.first
        let parts = folders.reversed().map { $0 + "/pipewire.conf.d" }.flatMap { folder in
            KernelFiles.names(folder).filter { $0.hasSuffix(".conf") }.compactMap { KernelFiles.text("\(folder)/\($0)") }
        }
        return (main.map { [$0] } ?? []) + parts
    }
}

/// Looks at the processes of thrumd and of sound servers.
extension Doctor {
    /// Checks whether sound servers go before other programs. A card itself and nothing need none.
    func checkServers(_ status: StatusReport?) -> [Diagnosis] {
        switch status?.output.kind {
        case .alsa, .null: return []
        case .pulse, nil: break
        }
        let hasBroker = KernelFiles.isThere("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service")
        return KernelFiles.processes(named: ["pulseaudio", "pipewire"]).compactMap { process in
            let tasks = "/proc/\(process.number)/task"
            let threads = KernelFiles.names(tasks).compactMap { KernelFiles.text("\(tasks)/\($0)/stat") }
            return ThreadSchedule.judge(process.name, process.number, threads.compactMap { ThreadSchedule(stat: $0) }, hasBroker: hasBroker)
        }
    }

    /// Checks the locked memory of the thrumd that runs. Nil where none runs, or several do.
    func checkMemory() -> Diagnosis? {
        let processes = KernelFiles.processes(named: ["thrumd"])
        guard processes.count == 1, let number = processes.first?.number,
              let limits = KernelFiles.text("/proc/\(number)/limits").flatMap({ ProcessLimits($0) }),
              let locked = KernelFiles.text("/proc/\(number)/status").flatMap({ ProcessLimits.lockedNow(status: $0) }) else { return nil }
        return limits.judgeMemory(of: number, locked: locked)
    }
}

/// Looks at screens, and at what draws on them.
extension Doctor {
    /// Checks the screens that are plugged in, and the programs of a kiosk.
    func checkScreens() -> [Diagnosis] {
        // What is wrong with the settings is told as a fault of theirs.
        let isWanted = ((try? settings.files().decode(KioskSection.self, keys: ["kiosk"]).kiosk) ?? nil) != nil
        let folder = "/sys/class/drm"
        let screens = KernelFiles.names(folder).filter { KernelFiles.word("\(folder)/\($0)/status") == "connected" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return screens.map { screen in
            PanelTiming.judge(Self.output(screen), KernelFiles.bytes("\(folder)/\(screen)/edid").flatMap { PanelTiming(edid: $0) })
        } + [KioskNeeds.judge(connected: screens, isWanted: isWanted)].compactMap(\.self)
            + KioskNeeds.judge(isWanted: isWanted) { program in path.contains { access("\($0)/\(program)", X_OK) == 0 } }
    }

    /// Returns the name of a screen as compositors have it: `HDMI-A-1` of `card1-HDMI-A-1`.
    private static func output(_ screen: String) -> String {
        screen.split(separator: "-", maxSplits: 1).last.map(String.init) ?? screen
    }
}
