import Classifier
import Files
import Foundation
import ModelFile
import SystemPackage
import Testing
import TestSupport

/// What scikit-learn says of the models in `Tests/Fixtures/models`; `models.py` has made both.
struct Expected: Decodable {
    var inputs: [String]
    var low: [Double]
    var high: [Double]
    var models: [Model]

    struct Model: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var seed: UInt64
        var rows: Int
        /// The SHA-256 of the file.
        var digest: String
        /// The SHA-256 of all margins, and of the first tenth.
        var margins: String
        var tenth: String
        /// The first margins.
        var some: [Double]
        /// For each input floats near thresholds, as their bits.
        var thresholds: [[UInt32]]

        var testDescription: String { name }
        var path: FilePath { FilePath(Expected.folder + "/\(name).mlmodel") }
    }

    static let folder = repository + "/Tests/Fixtures/models"
    static let shared: Expected = {
        do {
            return try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(filePath: folder + "/expected.json")))
        } catch {
            fatalError("\(error)")
        }
    }()

    /// Fills in the next row of a model's rows.
    func fill(_ row: inout [Float], _ model: Model, _ random: inout SplitMix64) {
        for index in row.indices {
            let number = random.next()
            let thresholds = model.thresholds[index]
            guard number & 3 == 0, !thresholds.isEmpty else {
                row[index] = Float(low[index] + (high[index] - low[index]) * (Double(number >> 11) * 0x1p-53))
                continue
            }
            let threshold = Float(bitPattern: thresholds[Int((number >> 8) % UInt64(thresholds.count))])
            row[index] = switch (number >> 2) % 3 {
            case 0: threshold
            case 1: threshold.nextUp
            default: threshold.nextDown
            }
        }
    }
}

@Suite struct LearnedModelsTests {
    /// Of a million rows a tenth: `scripts/try-models` goes through all of them.
    @Test(arguments: Expected.shared.models) func `margins are the bits that scikit-learn computes`(model: Expected.Model) throws {
        let expected = Expected.shared
        let classifier = try Classifier(contentsOf: model.path, inputs: expected.inputs)
        #expect(classifier.name == model.name + ".mlmodel" && classifier.digest == model.digest && classifier.inputs == expected.inputs)
        var random = SplitMix64(seed: model.seed)
        var row = [Float](repeating: 0, count: expected.inputs.count)
        var bits: [UInt64] = []
        for _ in 0..<model.rows / 10 {
            expected.fill(&row, model, &random)
            bits.append(classifier.logOdds(row.span).bitPattern.littleEndian)
        }
        #expect(bits.prefix(3).map { Double(bitPattern: $0) } == model.some)
        #expect(bits.withUnsafeBytes { Digest.hexadecimal(Digest.of(Array($0))) } == model.tenth)
    }

    @Test func `a model's inputs are found by their names, wherever the piece has them`() throws {
        let model = try #require(Expected.shared.models.first { $0.name == "counts" })
        let inputs = Expected.shared.inputs
        let one = try Classifier(contentsOf: model.path, inputs: inputs)
        let other = try Classifier(contentsOf: model.path, inputs: inputs.reversed() + ["another"])
        var random = SplitMix64(seed: 1)
        var row = [Float](repeating: 0, count: inputs.count)
        for _ in 0..<100 {
            Expected.shared.fill(&row, model, &random)
            let reversed = row.reversed() + [7]
            let (logOdds, same) = (one.logOdds(row.span), other.logOdds(reversed.span))
            #expect(logOdds == same)
        }
    }

    @Test func `a file whose name no journal's header could have is refused`() throws {
        let scratch = try Scratch()
        let model = try #require(Expected.shared.models.first { $0.name == "logistic" })
        func read(_ name: FilePath) throws -> Classifier {
            let path = FilePath(scratch.path).pushing(name)
            let bytes = try Data(contentsOf: URL(filePath: model.path.string))
            let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(bytes) }
            return try Classifier(contentsOf: path, inputs: Expected.shared.inputs)
        }
        let long = String(repeating: "a", count: 247) + ".mlmodel"
        #expect(try read(FilePath(long)).name == long)
        // Bytes that are not UTF-8 are shown in four characters each.
        let strange = FilePath(platformString: [CChar](repeating: CChar(bitPattern: 0xFF), count: 100) + [0])
        #expect { try read(strange) } throws: { "\($0)".hasSuffix(": expected a name of 1 to 256 characters, found 400 characters") }
        let marked = FilePath("e" + String(repeating: "\u{301}", count: 40))
        #expect { try read(marked) } throws: {
            "\($0)".hasSuffix(": expected a name of 1 to 256 characters, found a character of more than 64 bytes")
        }
    }

    @Test func `a file that cannot be read is named`() throws {
        let scratch = try Scratch()
        #expect(throws: Errno.noSuchFileOrDirectory) { try Classifier(contentsOf: FilePath(scratch.file("none.mlmodel")), inputs: []) }
        let path = try scratch.write("thrum", to: "text.mlmodel")
        #expect { try Classifier(contentsOf: FilePath(path), inputs: []) } throws: {
            "\($0)" == "\(path): expected a Core ML model (.mlmodel), found bytes that are none"
        }
    }
}
