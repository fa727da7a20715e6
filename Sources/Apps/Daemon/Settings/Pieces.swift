import Experience
import Registry

/// The pieces that this process has.
enum Pieces {
    @TaskLocal static var all = Registry.pieces
}
