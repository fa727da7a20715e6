import CPng

/// An image of grey pixels, one byte each, row by row from the upper left: 0 is black, 255 is white.
public struct GrayImage: Equatable, Sendable {
    public let width: Int
    public let height: Int
    public let pixels: [UInt8]

    /// Makes an image of 1 to 16,384 pixels in width and in height.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        let sides = 1...16_384
        precondition(sides.contains(width) && sides.contains(height) && pixels.count == width * height, "a byte for each pixel")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The image as a PNG file (ISO/IEC 15948), made by libpng. With the same libpng and zlib, the same image gives the same bytes.
    public var png: [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = 0  // PNG_FORMAT_GRAY
        var size: png_alloc_size_t = 0
        // Called without memory to write to, the function returns the size that it needs.
        guard png_image_write_to_memory(&image, nil, &size, 0, pixels, png_int_32(width), nil) != 0 else {
            preconditionFailure("libpng only fails here without memory")
        }
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            guard png_image_write_to_memory(&image, bytes.baseAddress, &size, 0, pixels, png_int_32(width), nil) != 0 else {
                preconditionFailure("libpng only fails here without memory")
            }
            count = size
        }
    }
}
