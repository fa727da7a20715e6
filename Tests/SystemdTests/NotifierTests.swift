import Foundation
import Testing
import TestSupport
@testable import Systemd

@Suite struct NotifierTests {
    @Test(arguments: [true, false])
    func `the manager is told in the words of sd_notify(3), at a path and at an abstract name`(isAbstract: Bool) throws {
        let scratch = try Scratch()
        let address = isAbstract ? "@" + scratch.file("notify") : scratch.file("notify")
        let manager = try Mailbox(address)
        let notifier = Notifier(["NOTIFY_SOCKET": address])
        notifier.ready()
        notifier.status("waiting for a sound server")
        notifier.watchdog()
        notifier.stopping()
        #expect(try manager.text() == "READY=1")
        #expect(try manager.text() == "STATUS=waiting for a sound server")
        #expect(try manager.text() == "WATCHDOG=1")
        #expect(try manager.text() == "STOPPING=1")
    }

    @Test func `reloading says when, by CLOCK_MONOTONIC`() throws {
        let scratch = try Scratch()
        let manager = try Mailbox(scratch.file("notify"))
        func microseconds() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        }
        let before = microseconds()
        Notifier(["NOTIFY_SOCKET": scratch.file("notify")]).reloading()
        let after = microseconds()
        let lines = try manager.text().split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "RELOADING=1")
        let time = try #require(UInt64(lines[1].trimmingPrefix("MONOTONIC_USEC=")))
        #expect((before...after).contains(time))
    }

    @Test(arguments: [
        ("one\nREADY=1\nMAINPID=1", "one"),
        ("one\r\ntwo", "one"),
        ("Hörsaal: ♪", "Hörsaal: ♪"),
        ("", ""),
    ])
    func `a status is one line`(status: String, line: String) throws {
        let scratch = try Scratch()
        let manager = try Mailbox(scratch.file("notify"))
        Notifier(["NOTIFY_SOCKET": scratch.file("notify")]).status(status)
        #expect(try manager.text() == "STATUS=" + line)
    }

    @Test func `a status is short enough for the manager, which passes over more than 4,096 bytes`() throws {
        let scratch = try Scratch()
        let manager = try Mailbox(scratch.file("notify"))
        Notifier(["NOTIFY_SOCKET": scratch.file("notify")]).status(String(repeating: "𝄞", count: 5_000))
        let message = try manager.text()
        #expect(message == "STATUS=" + String(repeating: "𝄞", count: 900) && message.utf8.count < 4096)
    }

    @Test(arguments: [nil, "", "relative", "@", "vsock:2:1234", "/nowhere/at/all", "/" + String(repeating: "x", count: 200)])
    func `where nobody listens, nothing is sent and nothing is made`(address: String?) {
        #expect(address.flatMap { DatagramSender(to: $0) }?.send([1]) != true)
        let notifier = Notifier(address.map { ["NOTIFY_SOCKET": $0] } ?? [:])
        notifier.ready()
        notifier.watchdog()
        notifier.stopping()
        #expect(notifier.watchdogPeriod == nil)
        if let address { #expect(access(address, F_OK) != 0) }
    }

    @Test func `a manager that does not read is not waited for, and one that comes back is told again`() throws {
        let scratch = try Scratch()
        let notifier = Notifier(["NOTIFY_SOCKET": scratch.file("notify")])
        do {
            let deaf = try Mailbox(scratch.file("notify"))
            for _ in 0..<10_000 { notifier.watchdog() }
            #expect((1..<10_000).contains(deaf.empty().count))
        }
        notifier.watchdog()
        unlink(scratch.file("notify"))
        let manager = try Mailbox(scratch.file("notify"))
        notifier.status("back")
        #expect(try manager.text() == "STATUS=back")
    }

    @Test func `a process is a service where the manager hears it and has started that very process`() {
        func isService(_ variables: [String: String]) -> Bool { Notifier(variables).isService }
        let (own, other) = ("\(getpid())", "\(getppid())")
        #expect(!isService([:]) && !isService(["SYSTEMD_EXEC_PID": own]) && !isService(["INVOCATION_ID": "a"]))
        // Before version 248 systemd did not say for which process the socket is.
        #expect(isService(["NOTIFY_SOCKET": "/run/systemd/notify"]))
        #expect(isService(["NOTIFY_SOCKET": "/run/systemd/notify", "SYSTEMD_EXEC_PID": own]))
        #expect(!isService(["NOTIFY_SOCKET": "/run/systemd/notify", "SYSTEMD_EXEC_PID": other]))
        #expect(!isService(["NOTIFY_SOCKET": ""]))
    }

    @Test func `the watchdog's period is the one meant for this process`() {
        func period(_ variables: [String: String]) -> Duration? { Notifier(variables).watchdogPeriod }
        #expect(period([:]) == nil)
        #expect(period(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(period(["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "\(getpid())"]) == .milliseconds(500))
        #expect(period(["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "1"]) == nil)
        #expect(period(["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "me"]) == nil)
        for nonsense in ["", "0", "-5", "soon"] { #expect(period(["WATCHDOG_USEC": nonsense]) == nil) }
    }
}
