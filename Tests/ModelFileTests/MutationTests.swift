import Classifier
import Foundation
import SwiftProtobuf
import Testing
import TestSupport
@testable import ModelFile

/// Files that nobody has written. `scripts/try-models` reads 100,000 of them, and has what is accepted read by a second reader.
@Suite struct MutationTests {
    private static let known = Expected.shared.inputs

    /// Flips bits, sets bytes, copies a part to elsewhere, or cuts the end off.
    private func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 3..<5: bytes[index] = [0, 1, 2, 8, 10, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 5:
                let part = bytes[index..<min(bytes.count, index + Int.random(in: 1..<40, using: &random))]
                bytes.insert(contentsOf: part, at: Int.random(in: bytes.indices, using: &random))
            case 6: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1..<40, using: &random)))
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    @Test func `a mutated file is refused, or read as what a decoder and an encoder make of it`() throws {
        let rows: [[Float]] = [0, 1, 1.5, -3, 40, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude].map {
            Array(repeating: $0, count: Self.known.count)
        }
        let seeds = try ["comparisons", "logistic"].map { try [UInt8](Data(contentsOf: URL(filePath: Expected.folder + "/\($0).mlmodel"))) }
        var random = SplitMix64(seed: 40)
        var accepted = 0
        for number in 0..<2000 {
            let bytes = mutate(seeds[number % 2], &random)
            guard let classifier = try? Classifier(bytes, name: "", inputs: Self.known) else { continue }
            accepted += 1
            let again = try Classifier(MLModel(serializedBytes: bytes).serializedBytes(), name: "", inputs: Self.known)
            #expect(again.form == classifier.form, "mutation \(number)")
            for row in rows {
                let logOdds = classifier.logOdds(row.span)
                #expect(logOdds.isFinite, "mutation \(number)")
            }
        }
        // Most bits of a model are of numbers, and other numbers make another model.
        #expect((50..<1500).contains(accepted))
    }

    @Test func `a file that is cut off anywhere is refused`() throws {
        let trees = SmallModels.pipeline(.treeEnsembleClassifier(SmallModels.trees))
        for model in [trees, SmallModels.alone(.glmClassifier(SmallModels.linear))] {
            let bytes: [UInt8] = try model.serializedBytes()
            for end in bytes.indices {
                #expect(throws: (any Error).self) { try Classifier(Array(bytes[..<end]), name: "", inputs: SmallModels.known) }
            }
        }
    }
}
