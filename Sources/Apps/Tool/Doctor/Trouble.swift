import Escaping
import Glibc
import SystemPackage
import Wire

/// The finding about one thing that thrumd needs.
struct Diagnosis: Encodable {
    enum Check: String, Encodable { case daemon, sound, devices, limits, screens, kiosk, disk, config }

    enum Verdict: String, Encodable { case ok, warning, problem }

    var check: Check
    var verdict: Verdict
    var finding: String
    /// What the operator can do about it; nil where nothing needs to be done.
    var advice: String?

    static func ok(_ check: Check, _ finding: String) -> Diagnosis { Diagnosis(check: check, verdict: .ok, finding: finding) }

    static func trouble(_ trouble: Trouble) -> Diagnosis {
        let (verdict, check, finding, advice) = trouble.row
        return Diagnosis(check: check, verdict: verdict, finding: finding, advice: advice)
    }

    /// The verdict and the finding for people, with the advice below them.
    var lines: [String] {
        let indentation = String.spaces(8)
        // A device's name comes from its maker or from a stranger, so it is made printable.
        let words = finding.printableLines.split(separator: "\n").joined(separator: "\n" + indentation)
        return ["\(verdict.rawValue.padded(to: 8))\(check.rawValue): \(words)"] + (advice.map { [indentation + $0] } ?? [])
    }

    private enum CodingKeys: CodingKey { case check, verdict, finding, advice }

    /// Encodes all four fields of the finding; the advice is null where there is none.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(finding, forKey: .finding)
        try container.encode(advice, forKey: .advice)
    }
}

/// The kinds of trouble that `thrum doctor` can find. A value without a label is the thing that the finding is about, or the words with
/// which the finding begins.
enum Trouble {
    case hangs(String), mayNotConnect(String), noThrumd(String), connectionBroke(String, any Error), issue(String), setByHand(String)
    case noDaemon(any Error, flags: [String]), otherVersion(String, at: String)
    case noServer(String?, any Error), nothingHeard(String), muted(String, sink: String), tooSoft(String, sink: String)
    case waitsForCard(String), cardMuted(String), refusesRewinds(String), rarePackets(String), forcedBlocks(String), largeBlocks(String)
    case noInput, noTouchscreen, singleTouch(String), noDevice(rule: String), cannotOpen(String, Errno)
    case unreadSwitch(String, rule: String, String)
    case mayNotOpen(String, String, advice: String), mayNotWrite(String, advice: String)
    case noPriority, noPriorityHere(Int32, limit: rlim_t), notLocked(Int, String), mayNotLock(kibibytes: rlim_t)
    case serverWithoutPriority(String, hasBroker: Bool)
    case noScreen, slowScreen(String, highest: Int?), kioskLacks(String, program: String, String, package: String)
    case noVoice
    case noFolder, noDirectory(FilePath), cannotWrite(FilePath, Errno), unknownSpace(FilePath, Errno)
    case noSpace(String, FilePath), littleSpace(String, FilePath)
    case noProgram(String, any Error), wrongSettings(String), otherBuild(String, String), checkFailed([String], status: Int32, String)

    /// The texts of the finding: its verdict, what was checked, what was found, and the advice; nil where there is no advice.
    fileprivate var row: (Diagnosis.Verdict, Diagnosis.Check, finding: String, advice: String) {
        switch self {
        case .hangs(let path): (.problem, .daemon, "\(path): no answer within 5 s", "thrumd hangs: end it and start it again")
        case .mayNotConnect(let path):
            (.problem, .daemon, "\(path): may not be connected to",
             "only its owner may: run this as the user who runs thrumd, as in sudo -u USER thrum doctor")
        case .noThrumd(let path):
            (.problem, .daemon, "\(path): what answers here is no thrumd, or one of another version",
             "end it, and start the thrumd that came with this thrum, \(version)")
        case .connectionBroke(let path, let error):
            (.problem, .daemon, "\(path): the connection broke: \(error)", "end thrumd and start it again")
        case .issue(let issue): (.problem, .daemon, issue, "thrum status shows how things stand, thrumd's log since when")
        case .setByHand(let notice):
            (.warning, .daemon, notice.printable, "if it is no longer meant: thrum send output.mute on=false, or output.ceiling")
        case .noDaemon(let error, let flags):
            (.warning, .daemon, "no thrumd to talk to: \(error)", "start it: \((["thrumd"] + flags).joined(separator: " ")) &")
        case .otherVersion(let other, let path):
            (.warning, .daemon, "thrumd at \(path) is version \(other), and thrum is \(version)",
             "start thrumd again, if it was replaced while it ran; else install both from one build")

        case .noServer(let server, let error):
            (.problem, .sound, "no sound server\(server.map { " at \($0)" } ?? ""): \(error)",
             "start PulseAudio, or PipeWire with pipewire-pulse; if one runs, name it with --server or set XDG_RUNTIME_DIR as it has it")
        case .nothingHeard(let sinks):
            (.warning, .sound, "nothing is heard: the sound server has \(sinks)",
             "plug in a sound card; if there is one (aplay -l lists them), see that the server may open it: its user in the group audio, "
                 + "and a new login")
        case .muted(let words, let sink):
            (.warning, .sound, "\(words), and muted", "let it be heard: pactl set-sink-mute \(sink) 0")
        case .tooSoft(let words, let sink):
            (.warning, .sound, "\(words): nobody hears that", "turn it up: pactl set-sink-volume \(sink) 100%")
        case .waitsForCard(let issue):
            (.problem, .sound, "thrumd waits for its sound card: \(issue)", "plug it in, or free it; output names it in the settings")
        case .cardMuted(let words): (.warning, .sound, "\(words), and it is muted", "let it be heard: alsamixer")
        case .refusesRewinds(let words):
            (.warning, .sound, "\(words); its driver refuses rewinds (disable_rewinds=Y), so that what was handed to the card cannot be "
                 + "changed, and a touch waits for all of that",
             "echo \"options snd_sof_intel_hda_common disable_rewinds=0\" | sudo tee /etc/modprobe.d/thrum.conf, and start the machine "
                 + "anew; or use a card without this firmware, such as one on USB")
        case .rarePackets(let words):
            (.warning, .sound, "\(words), so that a touch waits for up to so long before it is even sent",
             "use another card: most ask for a packet each millisecond, or more often")
        case .forcedBlocks(let length):
            (.warning, .sound, "PipeWire is held at blocks of \(length): each sound waits for up to so long, and more",
             "let it choose: pw-metadata -n settings 0 clock.force-quantum 0")
        case .largeBlocks(let length):
            (.warning, .sound, "PipeWire's blocks are at least \(length): each sound waits for up to so long, and more",
             "leave it so in a virtual machine, where PipeWire sets this itself; else a file /etc/pipewire/pipewire.conf.d/thrum.conf with "
                 + "the line context.properties = { default.clock.min-quantum = 32 }, and then: systemctl --user restart pipewire")

        case .noInput: (.warning, .devices, "no touchscreen: there are no input devices here", Self.plugIn)
        case .noTouchscreen: (.warning, .devices, "no touchscreen that is used", Self.plugIn)
        case .singleTouch(let screens):
            (.warning, .devices, "touchscreens that tell one finger only: \(screens); two people, or gestures of two fingers, are "
                 + "impossible there",
             "fine where one person plays with one finger; else use a touchscreen for several fingers, and a driver that tells them "
                 + "(ABS_MT_POSITION_X)")
        case .noDevice(let rule):
            (.problem, .devices, "there is no device for the rule \(rule)",
             "plug it in, or correct the rule in the settings file: thrum devices --all shows what is there")
        case .unreadSwitch(let device, let rule, let reason):
            (.warning, .devices, "\(device): no switch is read by the rule switches.\(rule): \(reason)",
             "name the device that is meant in the rule, by path, name, phys or id: thrum devices --all shows what is there")
        case .cannotOpen(let node, let refusal):
            (.warning, .devices, "\(node): cannot be opened: \(refusal)", "plug it in again; the kernel's log (dmesg) may say what it has")
        case .mayNotOpen(let kind, let names, let advice): (.problem, .devices, "\(kind) that may not be opened: \(names)", advice)
        case .mayNotWrite(let names, let advice):
            (.problem, .devices, "force-feedback devices that may not be written to: \(names)", advice)

        case .noPriority: (.problem, .limits, "thrumd has no real-time priority: a busy machine may be heard", Self.priority)
        case .noPriorityHere(let wanted, let limit):
            (.problem, .limits, "real-time priority \(wanted) is not granted to this shell, though perhaps to a service: its RLIMIT_RTPRIO "
                 + "is \(limit)", Self.priority)
        case .notLocked(let process, let limit):
            (.warning, .limits, "thrumd (process \(process)) has locked no memory, and may be swapped out\(limit)", Self.memory)
        case .mayNotLock(let kibibytes):
            (.warning, .limits, "this shell's programs may lock \(kibibytes) KiB of memory only: a thrumd like that locks none, and may be "
                 + "swapped out", Self.memory)
        case .serverWithoutPriority(let server, let hasBroker):
            (.warning, .limits, "\(server) no real-time priority: a busy machine may be heard",
             (hasBroker ? "rtkit is installed, and has granted none: journalctl -b -u rtkit-daemon says why"
                 : "sudo apt install rtkit, and a new login") + "; of a service: LimitRTPRIO=20 in its unit")

        case .noScreen:
            (.warning, .screens, "no screen is plugged in, though the settings make a kiosk of this machine",
             "plug one in and switch it on; ls /sys/class/drm shows the ports that the kernel knows")
        case .slowScreen(let words, let highest):
            (.warning, .screens, "\(words), so that what follows a finger is seen to lag",
             (highest.map { "it says that it takes up to \($0) Hz: " } ?? "") + "use a port and a cable for more pictures a second (HDMI "
                 + "2.0 or DisplayPort for 3840 × 2160), or a smaller picture")
        case .kioskLacks(let role, let program, let instead, let package):
            (.problem, .kiosk, "the kiosk's \(role) is missing: no \(program) on the path\(instead)",
             "sudo apt install thrum-kiosk, which brings sway and Chromium, or without the package: sudo apt install \(package)")
        case .noVoice:
            (.warning, .kiosk, "the kiosk has no voice for who explores its page by touch: no espeak-ng on the path",
             "sudo apt install espeak-ng")

        case .noFolder:
            (.problem, .disk, "no place for journals, because neither XDG_STATE_HOME nor HOME is set", "name one: \(Self.sessions)")
        case .noDirectory(let path):
            (.problem, .disk, "\(path): is no directory, so that journals have no place",
             "move it away, or name another directory: \(Self.sessions)")
        case .cannotWrite(let path, let errno):
            (.problem, .disk, "\(path): journals cannot be written: \(errno)",
             "sudo chown \"$USER\" \(path), or name another directory: \(Self.sessions)")
        case .unknownSpace(let path, let errno):
            (.problem, .disk, "\(path): the space left cannot be told: \(errno)", "name a directory on another disk: \(Self.sessions)")
        case .noSpace(let words, let folder): (.problem, .disk, "\(words), too little for journals", Self.prune(folder))
        case .littleSpace(let words, let folder): (.warning, .disk, "\(words), which does not last", Self.prune(folder))

        case .noProgram(let program, let error):
            (.problem, .config, "\(program) cannot be asked about the settings: \(error)",
             "install thrumd beside thrum, or in a directory of PATH")
        case .wrongSettings(let complaint):
            (.problem, .config, complaint, "correct it in the settings file, or in the THRUM_ variable or flag that wins over it: "
                 + "docs/configuration.md has the range of each")
        case .otherBuild(let program, let complaint):
            (.problem, .config, "\(program) does not understand what it is asked about its settings: \(complaint)",
             "install thrum and thrumd from one build")
        case .checkFailed(let command, let status, let complaint):
            (.problem, .config, "\(command[0]) --check-config ended with status \(status): \(complaint)",
             "run it: " + command.joined(separator: " "))
        }
    }

    private static let plugIn = "plug one in, and ask thrum devices --all what is made of it; a front end that reports touches needs none"
    private static let priority = limit("LimitRTPRIO=20", "rtprio 20"), memory = limit("LimitMEMLOCK=infinity", "memlock unlimited")
    private static let sessions = "--sessions DIRECTORY, here and for thrumd"

    private static func limit(_ setting: String, _ line: String) -> String {
        "of a service: \(setting) in its unit; of a login: the line \"@audio - \(line)\" in /etc/security/limits.d/thrum.conf, the user "
            + "in the group audio, and a new login"
    }

    private static func prune(_ folder: FilePath) -> String {
        "make room: thrum sessions prune --days 30 --sessions \(folder) says which old sessions would go; --yes removes them"
    }
}
