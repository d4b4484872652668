private import PushCommands

/// The command line tool.
@main
enum Sealpush {
  static func main() async { await Program.sealpush.main() }
}
