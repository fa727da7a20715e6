import Daemon
import Metronome
import Registry

// thrumd, with one more piece on its list.
await DaemonProgram.main(Registry.pieces + [Metronome.self])
