import Registry
import Tool

await ToolProgram.main(pieces: Registry.pieces)
