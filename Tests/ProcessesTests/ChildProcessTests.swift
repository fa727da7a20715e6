import Foundation
import Processes
import Synchronization
import SystemPackage
import Testing
import TestSupport

/// How often a signal was handled.
private let interruptions = Atomic(0)

@Suite struct ChildProcessTests {
    private let environment = ["PATH": "/usr/bin:/bin"]

    @Test func `killing a process ends all that came from it, also what is stopped, and returns when it has ended`() async throws {
        let shell = try ChildProcess("sh", ["-c", "sh -c 'kill -STOP $$; sleep 1000' & sleep 1000 & wait"], environment: environment)
        #expect(try await eventually { ProcessFamily(of: shell.identifier).members.count >= 3 })
        let family = ProcessFamily(of: shell.identifier).members
        shell.kill()
        #expect(!shell.isRunning)
        #expect(try await eventually { family.allSatisfy { !isAlive($0) } })
    }

    @Test func `a process that ends is seen to`() async throws {
        let child = try ChildProcess("true", [], environment: environment)
        #expect(try await eventually { !child.isRunning })
        #expect(throws: (any Error).self) { _ = try ChildProcess("/no/such/program", [], environment: environment) }
    }

    @Test func `memory is that of the whole family`() async throws {
        // 60 MB each, written to: /dev/zero alone would be one shared page.
        let hog = "x = bytearray(b'x' * 60_000_000); import subprocess, sys, time\n"
            + "if len(sys.argv) > 1: subprocess.Popen([sys.executable, '-c', sys.argv[1], *sys.argv[2:]])\ntime.sleep(1000)"
        let alone = try ChildProcess("/usr/bin/python3", ["-c", hog], environment: environment)
        let parent = try ChildProcess("/usr/bin/python3", ["-c", hog, hog], environment: environment)
        #expect(try await eventually { ProcessFamily(of: parent.identifier).memory > 120_000_000 })
        #expect(try await eventually { ProcessFamily(of: alone.identifier).memory > 60_000_000 })
        #expect(ProcessFamily(of: alone.identifier).memory < 110_000_000)
    }

    @Test func `a program that has ended has its status, and its complaint without its name`() throws {
        func run(_ script: String, timeout: Int32 = 10) throws -> FinishedProcess {
            try FinishedProcess(running: "sh", ["-c", script], environment: environment, timeout: timeout)
        }
        let wrong = try run("echo 'sh: one' >&2; echo two >&2; exit 3")
        #expect(wrong.status == 3 && wrong.complaint == "one\ntwo")
        #expect(try run("kill -TERM $$").status == 128 + SIGTERM)
        // It would run for long; what it has started is ended, too.
        let silent = try run("echo begun >&2; sleep 1000; true", timeout: 1)
        #expect(silent.status == 128 + SIGKILL && silent.complaint == "begun")
        // Not more than 64 KiB of what it says; it is not stopped by a pipe that nobody reads.
        let talker = try run("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 5")
        #expect(talker.status == 5 && talker.complaint == String(repeating: "x", count: 65_536))
        #expect(throws: Errno.noSuchFileOrDirectory) { try FinishedProcess(running: "/no/such/program", [], environment: [:]) }
    }

    @Test func `a program reads what it is given, and writes where it is told`() throws {
        let scratch = try Scratch()
        let input = try FileDescriptor.open(scratch.write("words", to: "in"), .readOnly)
        let output = try FileDescriptor.open(scratch.file("out"), .writeOnly, options: .create, permissions: .ownerReadWrite)
        defer { for file in [input, output] { try? file.close() } }
        let copied = try FinishedProcess(running: "cat", [], environment: environment, input: input, output: output)
        #expect(copied.status == 0)
        #expect(try String(contentsOfFile: scratch.file("out"), encoding: .utf8) == "words")
    }

    @Test func `no program inherits a descriptor that is not passed to it, also one that is open without close-on-exec`() async throws {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { for file in [readEnd, writeEnd] { try? file.close() } }
        #expect(fcntl(readEnd.rawValue, F_GETFD) == 0)
        // Shells and ls(1) open none of their own below the folder that ls reads, which it has as the first free number.
        let finished = try FinishedProcess(running: "sh", ["-c", "ls /proc/self/fd >&2"], environment: environment)
        #expect(finished.complaint == "0\n1\n2\n3")
        let scratch = try Scratch()
        let child = try ChildProcess("sh", ["-c", "ls /proc/self/fd > \(scratch.file("list"))"], environment: environment, passing: [readEnd])
        #expect(try await eventually { !child.isRunning })
        #expect(try String(contentsOfFile: scratch.file("list"), encoding: .utf8) == "0\n1\n2\n3\n4\n")
    }

    @Test func `signals that are only noted do not end the waiting for a program`() async throws {
        var action = sigaction()
        // Without SA_RESTART: each system call that it interrupts fails with EINTR.
        action.__sigaction_handler.sa_handler = { _ in interruptions.add(1, ordering: .relaxed) }
        var before = sigaction()
        sigaction(SIGURG, &action, &before)
        defer { sigaction(SIGURG, &before, nil) }
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { try? readEnd.close() }
        let thread = Mutex<pthread_t?>(nil)
        let finished = Mutex<Result<FinishedProcess, any Error>?>(nil)
        let environment = environment
        // A signal to a thread that has ended would crash the tests.
        let mayEnd = DispatchSemaphore(value: 0)
        defer { mayEnd.signal() }
        // The program ends when its input does. Its thread is the one that is interrupted.
        Thread.detachNewThread {
            // The threads of tests block signals, and a thread begins with the mask of the one that starts it.
            var noted = sigset_t()
            sigemptyset(&noted)
            sigaddset(&noted, SIGURG)
            pthread_sigmask(SIG_UNBLOCK, &noted, nil)
            thread.withLock { $0 = pthread_self() }
            let ended = Result {
                // Beside other tests the next signal may come late.
                try FinishedProcess(running: "sh", ["-c", "cat; echo said >&2; exit 3"], environment: environment, input: readEnd,
                                    timeout: 600)
            }
            finished.withLock { $0 = ended }
            mayEnd.wait()
        }
        #expect(try await eventually {
            guard let thread = thread.withLock({ $0 }) else { return false }
            pthread_kill(thread, SIGURG)
            return interruptions.load(ordering: .relaxed) >= 20
        })
        try writeEnd.close()
        #expect(try await eventually { finished.withLock { $0 != nil } })
        let ended = try #require(finished.withLock { $0 }).get()
        #expect(ended.status == 3 && ended.complaint == "said")
    }

    /// A zombie that nobody has waited for counts as ended.
    private func isAlive(_ process: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }
}
