import Classifier
import Testing

@Suite struct ClassifierTests {
    private func logOdds(_ form: Classifier.Form, _ values: [Float]) -> Double {
        Classifier(name: "a.mlmodel", digest: "", inputs: values.indices.map { "\($0)" }, form: form).logOdds(values.span)
    }

    @Test func `a linear classifier's margin is the weighted sum of its inputs and its offset`() {
        #expect(logOdds(.linear(LinearForm(weights: [2, -0.5], offset: 0.25)), [1.5, 4]) == 1.25)
    }

    /// 1 + 2⁻⁵³ is 1 in doubles, and 2⁻⁵³ + 2⁻⁵³ + 1 is more than 1.
    @Test func `terms are added in their order, and the offset last`() {
        let tiny = 0x1p-53
        let first = LinearForm(terms: [.init(input: 1, weight: 1), .init(input: 0, weight: tiny)], offset: tiny)
        #expect(logOdds(.linear(first), [1, 1]) == 1)
        let last = LinearForm(terms: [.init(input: 0, weight: tiny), .init(input: 0, weight: tiny)], offset: 1)
        #expect(logOdds(.linear(last), [1, 1]) == 1 + 0x1p-52)
    }
}

@Suite struct TreeEnsembleTests {
    private typealias Relations = TreeEnsemble.Relations
    /// The six comparisons of Core ML.
    private static let comparisons: [(relations: Relations, isSo: @Sendable (Double, Double) -> Bool)] = [
        ([.less, .equal], { $0 <= $1 }), (.less, { $0 < $1 }), ([.greater, .equal], { $0 >= $1 }), (.greater, { $0 > $1 }),
        (.equal, { $0 == $1 }), ([.less, .greater], { $0 < $1 || $0 > $1 }),
    ]

    /// A tree of one branch that says 1 for yes and 0 for no.
    private func says(_ input: Float, _ relations: Relations, _ threshold: Double) -> Double {
        let branch = TreeEnsemble.Node.branch(input: 0, relations: relations, threshold: threshold, then: 1, otherwise: 2)
        return logOdds(TreeEnsemble(base: 0, trees: [[branch, .leaf(1), .leaf(0)]]), [input])
    }

    private func logOdds(_ ensemble: TreeEnsemble, _ values: [Float]) -> Double {
        Classifier(name: "", digest: "", inputs: values.indices.map { "\($0)" }, form: .trees(ensemble)).logOdds(values.span)
    }

    @Test func `a float is compared with a threshold as the double that it is`() {
        let thresholds: [Double] = [0, 1, -1, 0.1, -0.1, 1.0 / 3, 1e-300, -1e-300, 1e-45, 0x1p-149, 1e300, -1e300, .infinity, -.infinity,
                                    Double(Float.greatestFiniteMagnitude), 16_777_217, Double(Float(0.1)), Double(Float(0.1)).nextUp]
        for threshold in thresholds {
            let near = Float(threshold)
            for input in [near, near.nextUp, near.nextDown, 0, -0, 1, -1, .infinity, -.infinity, .greatestFiniteMagnitude] {
                for comparison in Self.comparisons {
                    let isSo = comparison.isSo(Double(input), threshold)
                    #expect(says(input, comparison.relations, threshold) == (isSo ? 1 : 0), "\(input) \(comparison.relations) \(threshold)")
                    #expect(says(input, comparison.relations.union(.unordered), threshold) == (isSo ? 1 : 0))
                }
            }
        }
    }

    @Test func `an input that is no number goes where the branch sends it`() {
        for comparison in Self.comparisons {
            #expect(says(.nan, comparison.relations, 0.1) == 0)
            #expect(says(.nan, comparison.relations.union(.unordered), 0.1) == 1)
        }
    }

    @Test func `leaves are added to the base in the order of the trees, however many there are`() {
        let tiny = 0x1p-53
        for count in 0...9 {
            let after = TreeEnsemble(base: 1, trees: Array(repeating: [.leaf(tiny)], count: count))
            #expect(logOdds(after, []) == 1)
            let before = TreeEnsemble(base: tiny, trees: Array(repeating: [.leaf(tiny)], count: count) + [[.leaf(1)]])
            // 1 + k · 2⁻⁵³, rounded once to an even last bit.
            #expect(logOdds(before, []) == 1 + Double(count + 1) * tiny)
        }
    }

    /// Of this chain a row of n inputs above the threshold comes n levels deep.
    @Test func `trees of unlike depths beside each other come to their own leaves`() {
        func chain(_ depth: Int) -> [TreeEnsemble.Node] {
            (0..<depth).flatMap { level -> [TreeEnsemble.Node] in
                let (leaf, next) = (2 * level + 1, 2 * level + 2)
                return [.branch(input: level, relations: .less, threshold: 0.5, then: leaf, otherwise: next), .leaf(Double(level))]
            } + [.leaf(Double(depth))]
        }
        let ensemble = TreeEnsemble(base: 0, trees: [chain(0), chain(1), chain(7), chain(3), chain(2)])
        for above in 0...7 {
            let values = (0..<7).map { $0 < above ? 1 : 0 as Float }
            #expect(logOdds(ensemble, values) == [0, 1, 7, 3, 2].reduce(0) { $0 + Double(min($1, above)) })
        }
        #expect(ensemble.steps == 18)
    }
}
