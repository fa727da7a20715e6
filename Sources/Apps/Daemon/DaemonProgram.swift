/// The program `thrumd`, apart from its executable, so that tests can reach into it.
public enum DaemonProgram {
    /// Runs the command line of this process, and returns when the daemon has stopped; else ends the process with an exit status.
    public static func main() async { await Thrumd.main() }
}
