import FoundationEssentials
import Offline
import PNG

/// A spectrogram as an image of greys inside an SVG. The style's filter gives it its colours.
struct SpectrogramImage {
    /// In dB, from black to white. The top is the loudest there is, in steps of 10 dB.
    let range: (low: Double, high: Double)
    private let image: GrayImage

    /// How far below the loudest anything is shown, in dB.
    private static let depth = 70.0
    /// Greys, of which there are fewer than 256 so that the file is small: steps of 1 dB.
    private static let steps = 70.0

    init(_ spectrogram: Spectrogram) {
        let levels = spectrogram.levels
        let loudest = levels.max() ?? 0
        let high = min(0, max(-60, (loudest / 10).rounded(.up) * 10))
        let low = high - Self.depth
        range = (low, high)
        let (columns, rows) = (spectrogram.columns, Spectrogram.rows)
        var pixels = [UInt8](repeating: 0, count: columns * rows)
        for column in 0..<columns {
            for row in 0..<rows {
                let part = min(1, max(0, (levels[column * rows + row] - low) / Self.depth))
                pixels[(rows - 1 - row) * columns + column] = UInt8((part * Self.steps).rounded() / Self.steps * 255)
            }
        }
        image = GrayImage(width: columns, height: rows, pixels: pixels)
    }

    func element(x: Double, y: Double, width: Double, height: Double) -> String {
        "<image class=\"levels\" x=\"\(svg(x))\" y=\"\(svg(y))\" width=\"\(svg(width))\" height=\"\(svg(height))\" "
            + "preserveAspectRatio=\"none\" href=\"data:image/png;base64,\(Data(image.png).base64EncodedString())\"/>"
    }
}
