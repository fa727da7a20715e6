import Testing

@testable import Tool

/// What `thrum doctor` reads of sound cards and PipeWire. Each text is what the kernel or PipeWire wrote on somebody's machine; the names
/// of the fields are those of sound/core/init.c and sound/usb/proc.c of Linux, and of the manual page pipewire(1).
@Suite struct DoctorSoundTests {
    /// The list of a ThinkPad X1 Extreme with a USB card, from the documentation of QM.
    private let cards = """
         0 [NVidia         ]: HDA-Intel - HDA NVidia
                              HDA NVidia at 0x9e000000 irq 17
         1 [sofhdadsp      ]: sof-hda-dsp - sof-hda-dsp
                              LENOVO-20Y5000QUS-ThinkPadX1ExtremeGen4i
         2 [USB            ]: USB-Audio - USB Audio Device
                              Generic USB Audio at usb-0000:00:14.0-5, full speed

        """

    @Test func `cards are read with their numbers, ids, drivers and names`() {
        #expect(SoundCard.list(cards) == [
            SoundCard(number: 0, id: "NVidia", driver: "HDA-Intel", name: "HDA NVidia"),
            SoundCard(number: 1, id: "sofhdadsp", driver: "sof-hda-dsp", name: "sof-hda-dsp"),
            SoundCard(number: 2, id: "USB", driver: "USB-Audio", name: "USB Audio Device"),
        ])
        // What the kernel lists where there is none.
        #expect(SoundCard.list("--- no soundcards ---\n").isEmpty)
    }

    /// SOF_DRIVER_NAME is "SOF" in sound/soc/intel/boards/bytcr_rt5640.c; sof-audio-pci-intel-tgl is a driver of sound/soc/sof/intel.
    @Test func `firmware is known by the card's driver, or by that of the device it is part of, and not by a name`() {
        let list = SoundCard.list(cards)
        #expect(list.map { $0.isFirmware(drivers: []) } == [false, true, false])
        #expect(SoundCard(number: 0, id: "bytcht", driver: "SOF", name: "sof-bytcht rt5640").isFirmware(drivers: []))
        #expect(list[0].isFirmware(drivers: ["skl_hda_dsp_generic", "sof-audio-pci-intel-tgl"]))
        let camera = SoundCard(number: 1, id: "LifeCam", driver: "USB-Audio", name: "Microsoft LifeCam")
        #expect(!camera.isFirmware(drivers: ["snd-usb-audio", "usb"]))
    }

    @Test func `firmware that refuses rewinds is a warning that names the parameter, and fine where nobody asks for them`() {
        let card = SoundCard.list(cards)[1]
        func judge(_ rewindsOff: String?, isPipeWire: Bool = false) -> Diagnosis {
            SoundFirmware.judge(card, rewindsOff: rewindsOff, isPipeWire: isPipeWire)
        }
        let refused = judge("Y")
        #expect(refused.verdict == .warning && refused.finding.hasPrefix("card 1, sofhdadsp (sof-hda-dsp) plays by Sound Open Firmware"))
        #expect(refused.advice?.contains("options snd_sof_intel_hda_common disable_rewinds=0") == true)
        #expect(judge("N").verdict == .ok && judge("Y", isPipeWire: true).verdict == .ok)
        let unknown = judge(nil)
        #expect(unknown.verdict == .ok && unknown.finding.contains("cannot be told"))
    }

    /// A Dell SP325, which plays and records; what is running is a Samson C01U's.
    private let speakerphone = """
        Dell Inc. Dell SP325 Speakerphone at usb-NVDA8000:00-1, full speed : USB Audio

        Playback:
          Status: Running
            Interface = 1
            Altset = 1
            Packet Size = 196
            Momentary freq = 48000 Hz (0x30.0000)
          Interface 1
            Altset 1
            Format: S16_LE
            Channels: 2
            Endpoint: 0x01 (1 OUT) (ADAPTIVE)
            Rates: 48000
            Bits: 16
            Channel map: FL FR

        Capture:
          Status: Stop
          Interface 2
            Altset 1
            Format: S16_LE
            Channels: 1
            Endpoint: 0x81 (1 IN) (ADAPTIVE)
            Rates: 16000, 48000
            Bits: 16
            Channel map: MONO

        """
    /// A Sound Blaster X G6 (alsa-plugins, issue 62), shortened.
    private let blaster = """
        Creative Technology Ltd Sound BlasterX G6 at usb-0000:00:14.0-4.1, high speed : USB Audio

        Playback:
          Status: Stop
          Interface 1
            Altset 1
            Format: S24_3LE
            Channels: 2
            Endpoint: 0x01 (1 OUT) (ASYNC)
            Rates: 44100, 48000, 88200, 96000, 176400, 192000, 352800, 384000
            Data packet interval: 125 us
            Bits: 24
            Channel map: FL FR
            Sync Endpoint: 0x81 (1 IN)
            Sync EP Interface: 1
            Sync EP Altset: 1
            Implicit Feedback Mode: No
          Interface 1
            Altset 2
            Format: S32_LE
            Channels: 2
            Endpoint: 0x01 (1 OUT) (ASYNC)
            Rates: 44100, 48000, 88200, 96000, 176400, 192000, 352800, 384000
            Data packet interval: 125 us
            Bits: 32
            Channel map: FL FR

        Capture:
          Status: Stop
          Interface 2
            Altset 1
            Format: S24_3LE
            Channels: 2
            Endpoint: 0x82 (2 IN) (ASYNC)
            Rates: 44100, 48000, 88200, 96000, 176400, 192000, 352800, 384000
            Data packet interval: 125 us
            Bits: 24
            Channel map: FL FR

        """

    @Test func `a USB card's speed and packets are read, and what it records is left out`() {
        #expect(USBSound(speakerphone) == USBSound(speed: "full speed", intervals: [1_000]))
        #expect(USBSound(blaster) == USBSound(speed: "high speed", intervals: [125, 125]))
        let microphone = blaster.replacing(/(?s)Playback:.*?Capture:/, with: "Capture:")
        #expect(USBSound(microphone) == USBSound(speed: "high speed", intervals: []))
    }

    @Test func `a USB card is told with its class, speed and packets, one that only records is not, and rare packets are a warning`() {
        let card = SoundCard.list(cards)[2]
        let beginning = "card 2, USB (USB Audio Device)"
        #expect(USBSound(speakerphone).judge(card, classCode: "01")?.finding.hasPrefix(
            beginning + ", of the USB audio class, full speed: a packet each 1 ms;") == true)
        #expect(USBSound(blaster).judge(card, classCode: "ff")?.finding.hasPrefix(
            beginning + ", on USB by a driver for this make, not of the USB audio class, high speed: a packet each 0.125 ms;") == true)
        #expect(USBSound(speed: nil, intervals: []).judge(card, classCode: "01") == nil)
        // bInterval 6 at high speed: 2⁵ · 125 µs (USB 2.0, 9.6.6).
        let rare = USBSound(blaster.replacing("interval: 125 us", with: "interval: 4000 us")).judge(card, classCode: nil)
        #expect(rare?.verdict == .warning && rare?.finding.contains("a packet each 4 ms") == true)
    }

    /// What PipeWire 0.3.71 said on a Gentoo, with blocks put in; 0.3.65 says the same lines.
    private func metadata(least: Int = 32, forced: Int = 0) -> String {
        """
        Found "settings" metadata 31
        update: id:0 key:'log.level' value:'2' type:''
        update: id:0 key:'clock.rate' value:'48000' type:''
        update: id:0 key:'clock.allowed-rates' value:'[ 192000, 48000, 44100 ]' type:''
        update: id:0 key:'clock.quantum' value:'1024' type:''
        update: id:0 key:'clock.min-quantum' value:'\(least)' type:''
        update: id:0 key:'clock.max-quantum' value:'2048' type:''
        update: id:0 key:'clock.force-quantum' value:'\(forced)' type:''
        update: id:0 key:'clock.force-rate' value:'0' type:''

        """
    }

    @Test func `PipeWire's blocks are read from what it says, and an answer without them is none`() {
        let clock = PipeWireClock(metadata: metadata(least: 16, forced: 512))
        #expect(clock?.usual == 1_024 && clock?.least == 16 && clock?.most == 2_048 && clock?.forced == 512 && clock?.rate == 48_000)
        #expect(clock?.isRunning == true)
        #expect(PipeWireClock(metadata: "Found \"settings\" metadata 31\n") == nil)
    }

    @Test func `blocks that are forced or cannot be small are a warning with their length, others are fine`() throws {
        let fine = try #require(PipeWireClock(metadata: metadata())).diagnosis
        #expect(fine.verdict == .ok)
        #expect(fine.finding == "PipeWire's blocks: 1024 frames (21.3 ms) usually, 32 frames (0.7 ms) if thrumd asks for it")
        let forced = try #require(PipeWireClock(metadata: metadata(forced: 1_024))).diagnosis
        #expect(forced.verdict == .warning && forced.finding.contains("held at blocks of 1024 frames (21.3 ms)"))
        #expect(forced.advice == "let it choose: pw-metadata -n settings 0 clock.force-quantum 0")
        let large = try #require(PipeWireClock(metadata: metadata(least: 1_024))).diagnosis
        #expect(large.verdict == .warning && large.advice?.contains("default.clock.min-quantum = 32") == true)
        // Forced to be small, it does not matter what the least is.
        #expect(try #require(PipeWireClock(metadata: metadata(least: 1_024, forced: 128))).diagnosis.verdict == .ok)
        #expect(try #require(PipeWireClock(metadata: metadata(forced: 256))).diagnosis.verdict == .ok)
    }

    /// The file /usr/share/pipewire/pipewire.conf of PipeWire 0.3.65 (Debian 12), shortened.
    private let configuration = """
        # Daemon config file for PipeWire version "0.3.65" #
        context.properties = {
            #log.level                             = 2
            core.daemon = true              # listening for socket connections
            core.name   = pipewire-0        # core name and socket name

            ## Properties for the DSP configuration.
            #default.clock.rate          = 48000
            #default.clock.allowed-rates = [ 48000 ]
            #default.clock.quantum       = 1024
            default.clock.min-quantum   = 16
            #
            # These overrides are only applied when running in a vm.
            vm.overrides = {
                default.clock.min-quantum = 1024
            }
        }

        context.spa-libs = {
            audio.convert.* = audioconvert/libspa-audioconvert
        }
        """

    @Test func `without an answer PipeWire's files count, later ones before earlier ones, and not what is for virtual machines`() {
        #expect(PipeWireClock(files: []) == PipeWireClock(files: ["", "context.properties = {}"]))
        let packaged = PipeWireClock(files: [configuration])
        #expect(packaged.least == 16 && packaged.usual == 1_024 && packaged.most == 2_048 && !packaged.isRunning)
        #expect(packaged.diagnosis.finding.hasSuffix("16 frames (0.3 ms) if thrumd asks for it, by its files"))
        let own = #"{"context.properties": {"default.clock.min-quantum": 512, "default.clock.rate": 96000}}"#
        let changed = PipeWireClock(files: [configuration, String(own.dropFirst().dropLast())])
        #expect(changed.least == 512 && changed.diagnosis.finding.contains("512 frames (5.3 ms)"))
    }

    @Test func `PipeWire's files are read with and without quotes, colons and commas, and comments are passed over`() {
        #expect(SPAText.settings("a = { \"b c\": 1, d=e # f = 2\n } g = [ { h = 3 } ] i 4") == [
            .init(path: ["a"], key: "b c", value: "1"), .init(path: ["a"], key: "d", value: "e"),
            .init(path: ["g", ""], key: "h", value: "3"), .init(path: [], key: "i", value: "4"),
        ])
    }
}
