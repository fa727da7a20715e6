/// The program `thrum`, apart from its executable, so that tests can reach into it.
public enum ToolProgram {
    /// Runs the command line of this process, and returns when it is done; else ends the process with an exit status.
    public static func main() async { await Thrum.main() }
}
