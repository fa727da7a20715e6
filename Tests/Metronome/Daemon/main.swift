import Daemon
import Metronome
import PiggyBank
import Registry

// thrumd, with the test pieces on its list.
await DaemonProgram.main(pieces: Registry.pieces + [Metronome.self, PiggyBank.self])
