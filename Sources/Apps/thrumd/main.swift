import Daemon
import Registry

await DaemonProgram.main(pieces: Registry.pieces)
