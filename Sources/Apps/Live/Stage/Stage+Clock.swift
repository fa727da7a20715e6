import CLinux
import Fields
import Wire

// The house's clock.
extension Stage {
    /// Looks whether the machine's clock has jumped, and logs it.
    func watchClock() {
        guard let hasJumped = clock.look() else { return }
        if hasJumped, let issue = clock.issue {
            logger.error("\(issue)")
        } else {
            logger.notice("the machine's clock and the house's are the same again")
        }
    }

    /// Has the house live by the machine's clock again.
    func acceptClock(_ caller: Caller) {
        guard let jump = clock.accept() else {
            let fault = Fault(field: "method", expected: "a jump of the machine's clock that is waiting to be accepted", found: "none")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        logger.notice("the house lives by the machine's clock again", metadata: ["seconds later": "\(jump)"])
        tendHouse(monotonicNanoseconds())
        caller.answer(ClockReport(time: clock.now, jump: jump))
    }
}
