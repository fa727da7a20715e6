import Daemon

await DaemonProgram.main()
