import Metronome
import PiggyBank
import Registry
import Tool

// thrum, with the test pieces on its list.
await ToolProgram.main(pieces: Registry.pieces + [Metronome.self, PiggyBank.self])
