import ArgumentParser
import Dispatch
import Fields
import Files
import FoundationEssentials
import Journal
import Offline
import SoundFile
import Synchronization
import SystemPackage

/// Renders many sessions into one directory, as many at once as the machine has processors. Files that exist are left alone, so an
/// interrupted run can be continued. A file gets its name only when it is complete.
struct RenderBatch {
    private struct Job {
        var session: SessionFile
        var output: FilePath
        /// The size of the session's journal in bytes. The progress bar assumes that larger journals take longer.
        var bytes: Int64
    }

    private enum Outcome {
        case rendered(Rendering.Result)
        case isThere
        case failed(reason: String, status: ExitCode)
    }

    private let jobs: [Job]
    private let directory: FilePath
    private let options: Rendering.Options
    private let replaces: Bool

    /// Prepares the rendering of `sessions`, and makes `directory`. A file's name is the session's name with `part` after it. Throws an
    /// exit status if the directory cannot be made, or if two sessions would have the same file.
    init(_ sessions: [SessionFile], into directory: FilePath, _ options: Rendering.Options, part: String, replaces: Bool) throws {
        jobs = try sessions.outputs(into: directory, extension: options.container.rawValue, part: part, to: "render").map { session, path in
            Job(session: session, output: path, bytes: session.path.information.map { Int64($0.st_size) } ?? 0)
        }
        self.directory = directory
        self.options = options
        self.replaces = replaces
    }

    /// Renders the sessions. Prints the space that the files need, a line for each session, and a summary. A session for which there is no
    /// room counts as failed. Throws the exit status of the first session that failed.
    func run() throws {
        let lacks = lacksOfRoom()
        let tally = Mutex(Tally(sizes: jobs.map(\.bytes)))
        let next = Atomic(0)
        // Each worker takes the next session as soon as it has finished one, so that a long session keeps no processor waiting.
        DispatchQueue.concurrentPerform(iterations: min(jobs.count, ProcessInfo.processInfo.activeProcessorCount)) { _ in
            while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < jobs.count {
                let outcome = lacks[index].map { .failed(reason: "\(jobs[index].output): \($0)", status: Exit.inputOutput) }
                    ?? render(jobs[index]) { fraction in tally.withLock { $0.show(fraction, of: index) } }
                tally.withLock { $0.end(index, jobs[index], outcome) }
            }
        }
        try tally.withLock { try $0.close() }
    }

    /// Prints the space that the files need. If the disk has too little room, drops the largest ones until the others fit together, and
    /// returns an error for each dropped one, by its index. A session that cannot be rendered is reported later, in its turn.
    private func lacksOfRoom() -> [Int: SoundFileError] {
        let missing = jobs.indices.filter { replaces || !jobs[$0].output.isThere }
        let sizes = missing.map { (index: $0, bytes: (try? Rendering.bytes(of: jobs[$0].session.path, options)) ?? 0) }
        var needed = sizes.reduce(0) { $0 + $1.bytes }
        guard needed > 0 else { return [:] }
        let free = freeBytes(of: directory)
        // The sizes of compressed files are not known beforehand.
        let isExact = options.container == .wav
        var lacks: [Int: SoundFileError] = [:]
        if let free, isExact {
            let largest = sizes.sorted { $0.bytes > $1.bytes }.prefix { size in
                guard needed > free else { return false }
                needed -= size.bytes
                return true
            }
            for (index, bytes) in largest { lacks[index] = .noRoom(needed: bytes, free: max(0, free - needed)) }
        }
        let room = free.map { " of \(SoundFileError.rounded($0)) free" } ?? ""
        print("to render: \(missing.count - lacks.count), \(isExact ? "" : "at most ")\(SoundFileError.rounded(needed))" + room)
        return lacks
    }

    private func render(_ job: Job, progress: (Double) -> Void) -> Outcome {
        do {
            try FileDescriptor.open(job.session.path, .readOnly).close()
        } catch {
            return .failed(reason: "\(job.session): \(error)", status: Exit.noInput)
        }
        do {
            let file = try PendingFile(job.output, replaces: replaces)
            let result = try Rendering.render(job.session.path, to: file.descriptor, options, progress: progress)
            try file.publish()
            return .rendered(result)
        } catch Errno.fileExists {
            return .isThere
        } catch let fault as JournalFault {
            return .failed(reason: fault.description(file: job.session.name), status: Exit.data)
        } catch let fault as Fault {
            return .failed(reason: "\(job.session): \(fault)", status: .validationFailure)
        } catch let error as SoundFileError {
            return .failed(reason: "\(job.output): \(error)", status: Exit.inputOutput)
        } catch {
            return .failed(reason: "\(job.output): \(error)", status: Exit.cannotCreate)
        }
    }

    /// Counts of rendered, existing and failed sessions, and the progress bar.
    private struct Tally: ~Copyable {
        private let sizes: [Int64]
        private let whole: Double
        private var parts: [Double]
        private var rendered = 0
        private var there = 0
        private var failed = 0
        /// The index and the exit status of the failed session that comes first on the command line; nil where none has failed.
        private var first: (index: Int, status: ExitCode)?
        private let bar = ProgressBar("rendering")

        init(sizes: [Int64]) {
            self.sizes = sizes
            whole = Double(max(1, sizes.reduce(0, +)))
            parts = sizes.map { _ in 0 }
        }

        mutating func show(_ fraction: Double, of index: Int) {
            parts[index] = fraction
            bar.show(zip(parts, sizes).reduce(0) { $0 + $1.0 * Double($1.1) } / whole)
        }

        mutating func end(_ index: Int, _ job: Job, _ outcome: Outcome) {
            bar.clear()
            switch outcome {
            case .rendered(let result):
                rendered += 1
                result.notes.warnings(of: job.session).forEach(warn)
                print(result.line(name: job.output.string))
            case .isThere:
                there += 1
            case .failed(let reason, let status):
                failed += 1
                if index < first?.index ?? .max { first = (index, status) }
                warn(reason)
            }
            show(1, of: index)
        }

        func close() throws {
            bar.clear()
            print("rendered: \(rendered)" + (there > 0 ? ", there already: \(there)" : "") + (failed > 0 ? ", failed: \(failed)" : ""))
            if let first { throw first.status }
        }
    }
}
