import NIOCore
import Wire

/// A line that waits, and whether it has been searched, before its turn, for requests that release a finger, a tone or all sound.
private struct Line {
    var bytes: [UInt8]
    var isGlancedAt: Bool
}

/// Carries out one client's requests in their order, and sends the answers. Thread: its event loop.
///
/// While a client does not read its answers, its ordinary requests wait, so that answers cannot pile up. Only a request that releases
/// something (a finger, a tone, all sound) is carried out at once; it is answered when its turn comes. A release of the client's own finger
/// or tone is carried out again then, which changes nothing; a release for all clients is not.
final class Conversation: ScheduledClient {
    /// The length of a line, in bytes, up to which it is parsed as soon as it is whole. Longer ones wait for the client's turn.
    private static var shortLine: Int { Inbox.shortLine }

    private struct Pending {
        var request: Result<UnreadRequest, ErrorReply>
        var answers: AnswerBatch
        /// What is known of the request before its turn; nil until it is the next one.
        var reading: Reading?
    }

    /// What is known of a request before its turn.
    private enum Reading {
        /// The request releases nothing. Its parameters are not read yet.
        case ordinary
        /// The method may release something, so the request has been read whole.
        case whole(Result<Request, ErrorReply>)

        /// The call, if it releases a finger, a tone or all sound now; nil for other calls, and for those with a planned time.
        var release: Call? {
            guard case .whole(.success(let request)) = self, request.call.releases, case .event(_, nil) = request.call else { return nil }
            return request.call
        }
    }

    var schedulerState = SchedulerState()
    private let service: any ControlService
    private let client: Int
    private let wayIn: WayIn
    /// The reason with which the client is refused a method that it may not call; nil where `wayIn` gives the reason.
    private let restriction: ErrorReply?
    private let channel: any Channel
    private let scheduler: FairScheduler
    private let timeout: TimeAmount
    /// Resumes reading, when the inbox has room again.
    private let resume: () -> Void
    private let outbox: Outbox
    private var inbox: Inbox
    private var allowance: Allowance
    /// The requests of the current line that were not carried out yet.
    private var pending: ArraySlice<Pending> = []
    /// Whether the first request of `pending` releases a finger, a tone or all sound.
    private var nextReleases = false
    /// The next line, if it is longer than `shortLine`; it is parsed when the client's turn comes.
    private var line: Line?
    /// Whether all waiting input has been searched, before its turn, for requests that release something.
    private var isGlancedAt = false
    private var isPendingGlancedAt = false
    /// The number of requests to stop or mute all sound that were carried out before their turn. When their turn comes, they are only
    /// answered.
    private var doneEarly = 0
    private var isWorking = false
    private var unanswered = 0
    private var isInputClosed = false
    private var hasReleased = false
    private var hasLeft = false
    private var isClosing = false
    private let idleTimeout = IdleTimeout()
    private var deafness: Scheduled<Void>?

    init(_ service: any ControlService, with client: Int, as wayIn: WayIn, isLocal: Bool, identity: Identity, restriction: ErrorReply?,
         _ limits: Limits, on channel: any Channel, _ scheduler: FairScheduler, resume: @escaping () -> Void) {
        self.service = service
        self.client = client
        self.wayIn = wayIn
        self.restriction = restriction
        self.channel = channel
        self.scheduler = scheduler
        timeout = limits.timeout
        self.resume = resume
        outbox = Outbox(channel)
        inbox = Inbox(line: limits.line)
        allowance = Allowance(rate: limits.rate)
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        // Requests that waited for room in the outbox may be carried out now.
        outbox.flushed = { [weak self] in
            self?.closeIfDone()
            self?.prepare()
        }
        let handover = Handover(to: channel) { line in
            this.value.outbox.write(line)
            this.value.outbox.flushSoon()
        }
        service.connected(client, as: wayIn.role, isLocal: isLocal, identity: identity) { handover.push($0) }
    }

    // MARK: What happens to the connection

    var isFull: Bool { inbox.isFull }

    func take(_ bytes: ByteBuffer) {
        guard !hasLeft else { return }
        idleTimeout.restart()
        inbox.append(bytes)
        isGlancedAt = false
        prepare()
    }

    /// Reacts when the client has closed its sending side: releases every finger and tone that it holds. The client counts as gone when all
    /// its requests are carried out.
    func inputClosed() {
        isInputClosed = true
        isGlancedAt = false
        prepare()
    }

    func writabilityChanged() {
        deafness?.cancel()
        deafness = nil
        if channel.isWritable {
            prepare()
            outbox.flushSoon()
        } else {
            isGlancedAt = false
            let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
            deafness = channel.eventLoop.scheduleTask(in: timeout) { this.value.giveUp(.unread) }
            scheduler.enqueue(self)
        }
    }

    /// Treats the client as gone: tells the service, and discards its input.
    func leave(_ departure: Departure) {
        guard !hasLeft else { return }
        hasLeft = true
        idleTimeout.cancel()
        (pending, line, inbox) = ([], nil, Inbox(line: inbox.lineLimit))
        service.disconnected(client, because: departure)
    }

    /// Treats the client as gone, and closes its connection.
    private func giveUp(_ departure: Departure) {
        leave(departure)
        channel.close(promise: nil)
    }

    // MARK: FairScheduler

    /// Whether requests may be carried out. A batch that has begun goes on even if the outbox is full, because its own answers fill it.
    private var isReady: Bool { channel.isWritable && (!pending.isEmpty || outbox.heldBack < Outbox.limit) }

    var releasesNext: Bool { !pending.isEmpty && nextReleases && isReady }

    var hasWork: Bool {
        guard !hasLeft else { return false }
        return isReady ? !pending.isEmpty || line != nil : !isGlancedAt
    }

    func work() -> Int {
        isWorking = true
        defer { isWorking = false }
        guard isReady else { return glance() }
        let before = outbox.answered
        var cost = FairScheduler.leastCost
        if let next = pending.popFirst() {
            act(on: next)
        } else if let line {
            cost = max(cost, line.bytes.count)
            self.line = nil
            open(line)
        }
        // A long answer costs more than its request.
        cost = max(cost, outbox.answered - before)
        prepare()
        return cost
    }

    func rest() {
        outbox.flush(more: hasWork)
    }

    /// Prepares the next line and enqueues the client. If its input is closed and no line is left, the client leaves.
    private func prepare() {
        while !hasLeft, isReady, pending.isEmpty, line == nil, let next = inbox.next() {
            switch next {
            case .complete(let bytes) where bytes.count > Self.shortLine: line = Line(bytes: bytes, isGlancedAt: inbox.tookGlancedAt)
            case .complete(let bytes): open(Line(bytes: bytes, isGlancedAt: inbox.tookGlancedAt))
            case .oversized:
                let error = ErrorReply(.invalidRequest, "a line has at most \(inbox.lineLimit) bytes")
                add([.failure(error)], isBatch: false, isGlancedAt: true)
            }
        }
        if !pending.isEmpty { readNext() }
        if hasWork { scheduler.enqueue(self) }
        if inbox.isHalfEmpty { resume() }
        guard isInputClosed, !hasLeft, isReady, pending.isEmpty, line == nil else { return }
        leave(.left)
        closeIfDone()
    }

    /// Looks at the first request of `pending`, if that was not done before, and notes whether it releases a finger, a tone or all sound.
    private func readNext() {
        let next = pending[pending.startIndex]
        let reading = next.reading ?? reading(of: next.request)
        if next.reading == nil { pending[pending.startIndex].reading = reading }
        nextReleases = reading.release != nil
    }

    private func open(_ line: Line) {
        switch Incoming(line.bytes, service.methods) {
        case .single(let request): add([request], isBatch: false, isGlancedAt: line.isGlancedAt)
        case .batch(let requests): add(requests, isBatch: true, isGlancedAt: line.isGlancedAt)
        }
    }

    private func add(_ requests: [Result<UnreadRequest, ErrorReply>], isBatch: Bool, isGlancedAt: Bool) {
        let answers = AnswerBatch(wanted: requests.count { $0.wantsAnswer() }, isBatch: isBatch, to: outbox) { [weak self] size in
            guard let self else { return }
            unanswered -= 1
            // An answer within the client's turn is flushed and charged at the turn's end.
            guard !isWorking else { return }
            schedulerState.charge(size - FairScheduler.leastCost)
            outbox.flushSoon()
        }
        if answers.wanted > 0 { unanswered += 1 }
        pending = requests.map { Pending(request: $0, answers: answers) }[...]
        isPendingGlancedAt = isGlancedAt
    }

    /// Searches one waiting line for requests that release something, and carries these out before their turn. Returns the cost in the
    /// units of `FairScheduler.share`.
    private func glance() -> Int {
        if isInputClosed {
            if !hasReleased { service.answer(Request(id: nil, call: .event(.left, at: nil)), from: client) { _ in } }
            (hasReleased, isGlancedAt) = (true, true)
            return FairScheduler.leastCost
        }
        if !isPendingGlancedAt { for next in pending { releaseEarly(next.request) } }
        isPendingGlancedAt = true
        let next: [UInt8]?
        if let line, !line.isGlancedAt {
            next = line.bytes
            self.line?.isGlancedAt = true
        } else {
            next = inbox.glance()
        }
        guard let next else {
            isGlancedAt = true
            return FairScheduler.leastCost
        }
        switch Incoming(next, service.methods) {
        case .single(let request): releaseEarly(request)
        case .batch(let requests): for request in requests { releaseEarly(request) }
        }
        return max(FairScheduler.leastCost, next.count)
    }

    /// Carries out `request` if it releases something, without an answer.
    private func releaseEarly(_ request: Result<UnreadRequest, ErrorReply>) {
        guard let call = reading(of: request).release else { return }
        if Self.isForAll(call) { doneEarly += 1 }
        service.answer(Request(id: nil, call: call), from: client) { _ in }
    }

    /// Says whether `call` stops or mutes the sound of all clients. If such a call were carried out twice, it would end what clients have
    /// begun in between.
    private static func isForAll(_ call: Call) -> Bool {
        switch call {
        case .event(.stop, nil), .event(.mute(true), nil): true
        default: false
        }
    }

    private func reading(of request: Result<UnreadRequest, ErrorReply>) -> Reading {
        guard case .success(let unread) = request, unread.method.access.canRelease,
              wayIn.refusal(of: unread.method.description) == nil else {
            return .ordinary
        }
        return .whole(unread.read())
    }

    private func act(on next: Pending) {
        do throws(ErrorReply) {
            let request = try admit(next)
            if case .ping(let timeout?) = request.call { watch(for: .milliseconds(Int64(timeout))) }
            if doneEarly > 0, Self.isForAll(request.call) {
                doneEarly -= 1
                if let id = request.id { next.answers.add(Reply.line(result: Receipt(frame: nil), id: id), to: id) }
                return
            }
            let answers = NIOLoopBound(next.answers, eventLoop: channel.eventLoop)
            service.answer(request, from: client) { answers.value.add($0, to: request.id) }
        } catch {
            if error.id == nil { service.refused(error, to: client) }
            next.answers.add(Reply.line(error: error), to: error.id)
        }
    }

    /// Returns the request `next` with its parameters, which are read only if the client may make it. Throws the refusal if it may not.
    private func admit(_ next: Pending) throws(ErrorReply) -> Request {
        if case .success(let unread) = next.request, let refusal = wayIn.refusal(of: unread.method.description) {
            throw (restriction ?? refusal).answering(unread.id)
        }
        let isWithinRate = allowance.take()
        let unread: UnreadRequest
        do {
            unread = try next.request.get()
        } catch {
            throw isWithinRate ? error : refusalByRate.answering(error.id)
        }
        guard isWithinRate || unread.method.access.canRelease else { throw refusalByRate.answering(unread.id) }
        // A query whose answer would not be sent is not carried out.
        if unread.method.access.onlyLooks, next.answers.isFull { throw Outbox.refusal.answering(unread.id) }
        let request = if case .whole(let whole)? = next.reading { try whole.get() } else { try unread.read().get() }
        guard isWithinRate || request.call.releases else { throw refusalByRate.answering(unread.id) }
        return request
    }

    private var refusalByRate: ErrorReply { ErrorReply(.refused(.tooFast), "more than \(allowance.rate) requests a second (max-rate)") }

    private func watch(for timeout: TimeAmount) {
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        idleTimeout.watch(for: timeout, on: channel.eventLoop) { this.value.giveUp(.silent) }
    }

    /// Closes the connection of a client that has left, when it has all its answers, or after `timeout` if it does not read them.
    private func closeIfDone() {
        guard hasLeft, unanswered == 0, !isClosing else { return }
        isClosing = true
        outbox.closeWhenEmpty()
        let channel = channel
        let end = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        // The timer would keep the connection in memory until it fires.
        channel.closeFuture.whenComplete { _ in end.cancel() }
    }
}
