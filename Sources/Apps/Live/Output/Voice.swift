import CLinux
import Glibc
import Processes
import SoundFile
import Synth
import SystemPackage
import Units
import Wire

/// Turns text into sound.
struct Voice: Sendable {
    /// Returns the samples of a text at a rate, −1…1; their length is at most `SpeechTrack.longest`. Throws the reason why the text cannot
    /// be spoken. May take as long as `bounds` allows, so it must not be called on the event loop.
    let samples: @Sendable (_ text: String, _ language: String, _ rate: SampleRate) throws(ErrorReply) -> [Float]

    /// The limits of the program: it is killed after 2 s, or when it has written 4 MiB, which is 95 s of espeak-ng's sound. A text of 300
    /// characters takes it 20 ms and writes a fifth of that.
    private static let bounds = FinishedProcess.Bounds(time: .seconds(2), size: 4 << 20)

    /// The voice of the program `espeak-ng`. It is a process and not a library: the library's licence would apply to `thrumd`
    /// (docs/decisions/0061), and its faults could end `thrumd`. It reads the text from its standard input, because every user of the
    /// machine can read a command line.
    static let espeak = speaking(by: "espeak-ng")

    /// Returns a voice that runs `program` with the arguments of `espeak-ng`.
    static func speaking(by program: String) -> Voice {
        Voice { text, language, rate throws(ErrorReply) in try samples(text, language, rate, by: program) }
    }

    private static func samples(_ text: String, _ language: String, _ rate: SampleRate, by program: String) throws(ErrorReply) -> [Float] {
        do {
            let (input, output) = (try FileDescriptor.inMemory("thrum-text"), try FileDescriptor.inMemory("thrum-speech"))
            defer { for file in [input, output] { try? file.close() } }
            try input.writeAll(text.utf8)
            try input.seek(offset: 0, from: .start)
            let finished = try FinishedProcess(running: program, ["--stdin", "--stdout", "-b", "1", "-z", "-v", language],
                                               environment: ["LC_ALL": "C.UTF-8"], input: input, output: output, bounds: bounds)
            guard finished.status == 0 else {
                let end = "status \(finished.status) \(finished.complaint.prefix(200))"
                throw ErrorReply(.refused(.unavailable), "\(program) does not speak: \(end)")
            }
            return try SoundFileReader.samples(writtenTo: output, at: rate, atMost: SpeechTrack.longest)
        } catch let error as ErrorReply {
            throw error
        } catch Errno.noSuchFileOrDirectory {
            throw ErrorReply(.refused(.unavailable), "no voice: \(program) is not installed")
        } catch {
            throw ErrorReply(.refused(.unavailable), "\(program) does not speak: \(error)")
        }
    }
}

extension FileDescriptor {
    /// Makes a file that is in memory only. `name` is the name that /proc shows.
    fileprivate static func inMemory(_ name: String) throws -> FileDescriptor {
        let descriptor = openInMemory(name)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: descriptor)
    }
}
