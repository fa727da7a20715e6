import Testing

@testable import Tool

@Suite struct ShapesTests {
    /// A polyline of one point draws nothing (SVG 1.1, 9.6 and 11.4); of two equal points with round ends a dot.
    @Test func `a path of one point is a dot`() {
        #expect(svgPath([(x: 1, y: 2)], "tone", width: 3).contains(#"stroke-linecap="round" points="1,2 1,2""#))
        #expect(svgPath([(x: 1, y: 2), (x: 3, y: 4)], "tone", width: 3).contains(#"points="1,2 3,4""#))
    }
}
