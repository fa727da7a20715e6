import Daemon
import Metronome
import Registry

// thrumd, with one more piece on its list.
await DaemonProgram.main(pieces: Registry.pieces + [Metronome.self])
