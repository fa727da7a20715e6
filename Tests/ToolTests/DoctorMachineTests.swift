import Testing

@testable import Tool

/// What `thrum doctor` reads of input devices, screens, processes and programs.
@Suite struct DoctorMachineTests {
    /// Lists devices of several machines with kernels of 64 bits: a panel of several fingers, a resistive screen that tells one, a touchpad,
    /// a pen and a keyboard. The resistive screen's is a 32-bit kernel's, with its zeros left out.
    private let inputs = """
        I: Bus=0018 Vendor=0000 Product=0000 Version=0000
        N: Name="Goodix Capacitive TouchScreen"
        P: Phys=input/ts
        S: Sysfs=/devices/platform/soc/1c2ac00.i2c/i2c-0/0-005d/input/input0
        U: Uniq=
        H: Handlers=mouse0 event5
        B: PROP=2
        B: EV=b
        B: KEY=400 0 0 0 0 0
        B: ABS=265800000000003

        I: Bus=0003 Vendor=0eef Product=0001 Version=0100
        N: Name="eGalax Inc. USB TouchController"
        P: Phys=usb-0000:00:1d.2-2/input0
        S: Sysfs=/devices/pci0000:00/0000:00:1d.2/usb4/4-2/4-2:1.0/input/input2
        U: Uniq=
        H: Handlers=mouse0 event2
        B: PROP=0
        B: EV=b
        B: KEY=400 0 0 0 0 0
        B: ABS=3

        I: Bus=0011 Vendor=0002 Product=0007 Version=01b1
        N: Name="SynPS/2 Synaptics TouchPad"
        P: Phys=isa0060/serio1/input0
        S: Sysfs=/devices/platform/i8042/serio1/input/input21
        U: Uniq=
        H: Handlers=mouse1 event12
        B: PROP=5
        B: EV=b
        B: KEY=e520 10000 0 0 0 0
        B: ABS=660800011000003

        I: Bus=0018 Vendor=04f3 Product=22f0 Version=0100
        N: Name="ELAN5515:00 04F3:22F0 Pen"
        H: Handlers=mouse1 event19
        B: PROP=0
        B: EV=1b
        B: KEY=c03 0 0 0 0 0
        B: ABS=1000003

        I: Bus=0011 Vendor=0001 Product=0001 Version=ab54
        N: Name="AT Translated Set 2 keyboard"
        H: Handlers=sysrq kbd event3
        B: PROP=0
        B: EV=120013
        B: KEY=402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe
        B: MSC=10
        B: LED=7

        """

    @Test func `touchscreens are told from touchpads, pens and keyboards, and those of one finger from others`() {
        let list = ListedInput.list(inputs, wordBits: 64)
        #expect(list.map(\.node) == [5, 2, 12, 19, 3].map { "/dev/input/event\($0)" })
        #expect(list.map(\.isTouchscreen) == [true, true, false, false, false])
        #expect(list.map(\.isSingleTouch) == [false, true, false, false, false])
        #expect(list[1].name == "eGalax Inc. USB TouchController")
        // ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_TOUCH_MAJOR, ABS_MT_WIDTH_MAJOR, ABS_MT_POSITION_X, ABS_MT_POSITION_Y and
        // ABS_MT_TRACKING_ID of linux/input-event-codes.h.
        #expect(list[0].axes == [0x00, 0x01, 0x2F, 0x30, 0x32, 0x35, 0x36, 0x39])
        #expect(list[0].keys == [0x14A] && list[0].properties == [1])
    }

    /// The lists are those of a PC with a 32-bit kernel, and of a LicheePi Zero.
    @Test func `bit sets are read by the size of the kernel's words`() {
        let list = ListedInput.list("""
            N: Name="eGalax Inc. USB TouchController"
            H: Handlers=mouse0 event2
            B: KEY=400 0 0 0 0 0 0 0 0 0 0
            B: ABS=3

            N: Name="Goodix Capacitive TouchScreen"
            H: Handlers=kbd event0
            B: PROP=2
            B: KEY=400 0 0 0 0 0 0 20000000 0 0 0
            B: ABS=2658000 3

            """, wordBits: 32)
        #expect(list.map(\.isSingleTouch) == [true, false] && list.map(\.isTouchscreen) == [true, true])
        #expect(list[0].keys == [0x14A] && list[1].axes.contains(0x35))
    }

    @Test func `a touchscreen of one finger is a warning that names it, and others are not told`() {
        let list = ListedInput.list(inputs, wordBits: 64)
        let found = ListedInput.judgeFingers(list)
        let words = "touchscreens that tell one finger only: eGalax Inc. USB TouchController (/dev/input/event2);"
        #expect(found?.verdict == .warning && found?.finding.hasPrefix(words) == true)
        #expect(ListedInput.judgeFingers([list[0]]) == nil && ListedInput.judgeFingers([]) == nil)
    }

    @Test func `a node that may not be opened is the group's, or waits for udev, or needs a rule`() {
        let usual = NodeAccess(group: "input", mode: 0o020_660).advice(hasRule: false)
        #expect(usual.hasPrefix("sudo usermod -aG input \"$USER\", and log in again"))
        for access in [NodeAccess(group: "root", mode: 0o020_660), NodeAccess(group: "input", mode: 0o020_600)] {
            #expect(access.advice(hasRule: true).contains("sudo udevadm trigger --subsystem-match=input"))
            #expect(!access.advice(hasRule: true).contains("KERNEL=="))
            #expect(access.advice(hasRule: false).contains(#"/etc/udev/rules.d/70-thrum.rules with the line SUBSYSTEM=="input""#))
        }
    }

    /// The EDIDs that Linux had built in for 1920 × 1080 and 1024 × 768 (drivers/gpu/drm/drm_edid_load.c). Their sources, in tools/edid,
    /// say the timings: 148.5 MHz, 2200 × 1125 with the blanking, and 65 MHz, 1344 × 806.
    private let fullHD: [UInt8] = [
        0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x31, 0xd8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x05, 0x16, 0x01, 0x03, 0x6d, 0x32, 0x1c, 0x78, 0xea, 0x5e, 0xc0, 0xa4, 0x59, 0x4a, 0x98, 0x25,
        0x20, 0x50, 0x54, 0x00, 0x00, 0x00, 0xd1, 0xc0, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
        0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c,
        0x45, 0x00, 0xf4, 0x19, 0x11, 0x00, 0x00, 0x1e, 0x00, 0x00, 0x00, 0xff, 0x00, 0x4c, 0x69, 0x6e,
        0x75, 0x78, 0x20, 0x23, 0x30, 0x0a, 0x20, 0x20, 0x20, 0x20, 0x00, 0x00, 0x00, 0xfd, 0x00, 0x3b,
        0x3d, 0x42, 0x44, 0x0f, 0x00, 0x0a, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x00, 0x00, 0x00, 0xfc,
        0x00, 0x4c, 0x69, 0x6e, 0x75, 0x78, 0x20, 0x46, 0x48, 0x44, 0x0a, 0x20, 0x20, 0x20, 0x00, 0x05,
    ]
    private let xga: [UInt8] = [
        0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x31, 0xd8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x05, 0x16, 0x01, 0x03, 0x6d, 0x23, 0x1a, 0x78, 0xea, 0x5e, 0xc0, 0xa4, 0x59, 0x4a, 0x98, 0x25,
        0x20, 0x50, 0x54, 0x00, 0x08, 0x00, 0x61, 0x40, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
        0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x64, 0x19, 0x00, 0x40, 0x41, 0x00, 0x26, 0x30, 0x08, 0x90,
        0x36, 0x00, 0x63, 0x0a, 0x11, 0x00, 0x00, 0x18, 0x00, 0x00, 0x00, 0xff, 0x00, 0x4c, 0x69, 0x6e,
        0x75, 0x78, 0x20, 0x23, 0x30, 0x0a, 0x20, 0x20, 0x20, 0x20, 0x00, 0x00, 0x00, 0xfd, 0x00, 0x3b,
        0x3d, 0x2f, 0x31, 0x07, 0x00, 0x0a, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x00, 0x00, 0x00, 0xfc,
        0x00, 0x4c, 0x69, 0x6e, 0x75, 0x78, 0x20, 0x58, 0x47, 0x41, 0x0a, 0x20, 0x20, 0x20, 0x00, 0x55,
    ]

    /// Sets the last byte such that all of a block sum to 0.
    private func summed(_ block: [UInt8]) -> [UInt8] { block.dropLast() + [0 &- block.dropLast().reduce(0, &+)] }

    @Test func `the picture that a screen likes best is read from its EDID`() throws {
        #expect(PanelTiming(edid: fullHD) == PanelTiming(width: 1_920, height: 1_080, rate: 60, highest: 61))
        let small = try #require(PanelTiming(edid: xga))
        // VESA's display monitor timings, DMT ID 10h: 60.004 Hz.
        #expect(small.width == 1_024 && small.height == 768 && abs(small.rate - 60.004) < 0.001)
        // A first block that announces others has them behind it.
        #expect(PanelTiming(edid: fullHD + xga)?.width == 1_920)
        // CTA-861's VIC 95, 3840 × 2160 at 30 Hz: 297 MHz, 4400 × 2250.
        var ultraHD = fullHD
        ultraHD.replaceSubrange(54..<62, with: [0x04, 0x74, 0x00, 0x30, 0xF2, 0x70, 0x5A, 0x80])
        #expect(PanelTiming(edid: summed(ultraHD)) == PanelTiming(width: 3_840, height: 2_160, rate: 30, highest: 61))
        // The most that E-EDID's range limits can say takes a bit more: 44h and 255.
        var fast = fullHD
        (fast[94], fast[95], fast[96]) = (2, 0x30, 0x2D)
        #expect(PanelTiming(edid: summed(fast))?.highest == 300)
    }

    @Test func `an EDID that is cut off, damaged, not one, or of half pictures says nothing`() {
        #expect(PanelTiming(edid: []) == nil)
        #expect(PanelTiming(edid: Array(fullHD.dropLast())) == nil)
        var damaged = fullHD
        damaged[60] ^= 1
        #expect(PanelTiming(edid: damaged) == nil)
        #expect(PanelTiming(edid: [UInt8](repeating: 0, count: 128)) == nil)
        var interlaced = fullHD
        interlaced[71] |= 0x80
        #expect(PanelTiming(edid: summed(interlaced)) == nil)
        var withoutTiming = fullHD
        withoutTiming.replaceSubrange(54..<56, with: [0, 0])
        #expect(PanelTiming(edid: summed(withoutTiming)) == nil)
    }

    @Test func `a screen is told with its rate, and one of few pictures is a warning`() {
        let usual = PanelTiming.judge("HDMI-A-1", PanelTiming(width: 1_920, height: 1_080, rate: 60))
        #expect(usual.verdict == .ok && usual.finding == "screen HDMI-A-1 likes 1920 × 1080 at 60.0 Hz best: a new picture each 16.7 ms")
        let slow = PanelTiming.judge("HDMI-A-1", PanelTiming(width: 3_840, height: 2_160, rate: 30, highest: 60))
        #expect(slow.verdict == .warning && slow.advice?.hasPrefix("it says that it takes up to 60 Hz: ") == true)
        let film = PanelTiming.judge("DP-1", PanelTiming(width: 640, height: 480, rate: 24, highest: 30))
        #expect(film.advice?.hasPrefix("use a port") == true)
        #expect(PanelTiming.judge("DSI-1", nil).verdict == .ok)
    }

    /// Limits of a service with LimitRTPRIO=10 and LimitMEMLOCK=infinity, in Linux's columns, shortened.
    private let limits = """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            8192                 8192                 files
        Max locked memory         unlimited            unlimited            bytes
        Max nice priority         40                   40
        Max realtime priority     10                   10
        Max realtime timeout      unlimited            unlimited            us

        """

    @Test func `a process's limits are read, and whether its memory is locked`() throws {
        let service = try #require(ProcessLimits(limits))
        #expect(service == ProcessLimits(priority: 10, locked: nil))
        let login = try #require(ProcessLimits(limits.replacing("memory         unlimited ", with: "memory         8388608   ")
            .replacing("priority     10", with: "priority     0 ")))
        #expect(login == ProcessLimits(priority: 0, locked: 8_388_608))
        #expect(ProcessLimits("Max open files 3 3 files\n") == nil)
        let status = "Name:\tthrumd\nVmPeak:\t  250112 kB\nVmLck:\t   61440 kB\nVmPin:\t       0 kB\n"
        #expect(ProcessLimits.lockedNow(status: status) == 61_440 && ProcessLimits.lockedNow(status: "Name:\tkthreadd\n") == nil)
        #expect(service.judgeMemory(of: 812, locked: 61_440).finding == "thrumd (process 812) has locked 60.0 MiB of memory")
        let none = login.judgeMemory(of: 812, locked: 0)
        #expect(none.verdict == .warning && none.finding.hasSuffix("its RLIMIT_MEMLOCK is 8192 KiB"))
        #expect(none.advice?.contains("LimitMEMLOCK=infinity") == true)
    }

    /// The fields are those of proc(5): priority is the 40th, policy the 41st.
    private func stat(name: String, priority: Int, policy: Int) -> String {
        "812 (\(name)) S 1 812 812 0 -1 4194304 101 0 0 0 0 0 0 0 -6 0 3 0 1642398 3133440 366 18446744073709551615 1 1 0 0 0 0 0 0 0 0 "
            + "0 0 17 0 \(priority) \(policy) 0 0 0 0 0 0 0 0 0 0 0\n"
    }

    @Test func `a thread's schedule is read, whatever it is called`() {
        #expect(ThreadSchedule(stat: stat(name: "alsa-sink-PCH", priority: 5, policy: 2)) == ThreadSchedule(isRealtime: true, priority: 5))
        #expect(ThreadSchedule(stat: stat(name: "data-loop.0", priority: 83, policy: 1)) == ThreadSchedule(isRealtime: true, priority: 83))
        #expect(ThreadSchedule(stat: stat(name: "a) R 1 (b", priority: 0, policy: 0)) == ThreadSchedule(isRealtime: false, priority: 0))
        #expect(ThreadSchedule(stat: "812 (cut off) S 1") == nil && ThreadSchedule(stat: "") == nil)
    }

    @Test func `a sound server without real-time priority is a warning that names rtkit where it is missing`() {
        let (usual, high) = (ThreadSchedule(isRealtime: false, priority: 0), ThreadSchedule(isRealtime: true, priority: 83))
        let fine = ThreadSchedule.judge("pipewire", 812, [usual, high], hasBroker: false)
        #expect(fine?.verdict == .ok && fine?.finding == "the sound server pipewire (process 812) has real-time priority 83")
        let without = ThreadSchedule.judge("pulseaudio", 812, [usual], hasBroker: false)
        #expect(without?.verdict == .warning && without?.advice?.hasPrefix("sudo apt install rtkit") == true)
        #expect(ThreadSchedule.judge("pulseaudio", 812, [usual], hasBroker: true)?.advice?.hasPrefix("rtkit is installed") == true)
        #expect(ThreadSchedule.judge("pulseaudio", 812, [], hasBroker: true) == nil)
    }

    @Test func `a kiosk lacks a compositor or a browser only where the settings make one, and others' are not taken for them`() {
        #expect(KioskNeeds.judge(isWanted: false) { _ in false }.map(\.verdict) == [.ok])
        #expect(KioskNeeds.judge(isWanted: true) { ["sway", "swaymsg", "chromium", "espeak-ng"].contains($0) }.map(\.verdict) == [.ok])
        #expect(KioskNeeds.judge(isWanted: true) { ["sway", "swaymsg", "chromium"].contains($0) }.map(\.advice) == [nil, "sudo apt install espeak-ng"])
        let found = KioskNeeds.judge(isWanted: true) { ["labwc", "swaymsg", "google-chrome"].contains($0) }
        #expect(found.map(\.verdict) == [.problem, .problem, .warning])
        #expect(found[0].finding.hasPrefix("the kiosk's compositor is missing: no sway on the path; labwc, which is there,"))
        #expect(found[1].finding.hasPrefix("the kiosk's browser is missing: no chromium on the path; google-chrome, which is there,"))
        #expect(found[1].advice?.hasSuffix("sudo apt install chromium") == true)
    }

    @Test func `a kiosk without a screen is a warning`() {
        #expect(KioskNeeds.judge(connected: [], isWanted: true)?.verdict == .warning)
        #expect(KioskNeeds.judge(connected: [], isWanted: false) == nil)
        #expect(KioskNeeds.judge(connected: ["card1-DP-1"], isWanted: true) == nil)
    }

    @Test func `what a device is called moves no cursor`() {
        #expect(Diagnosis.ok(.devices, "touchscreens: \u{1B}[2Jevil").lines == ["ok      devices: touchscreens: ·[2Jevil"])
    }
}
