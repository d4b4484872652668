import Glibc

/// A user to whom permissions apply: root does without its privileges to ignore them.
enum Unprivileged {
  /// The words that run a command of the tool so.
  static func words(_ line: String) -> [String] {
    words(running: [Tool.binary] + line.split(separator: " ").map(String.init))
  }

  /// The words that run any command so.
  static func words(running command: [String]) -> [String] { prefix + command }

  /// Whether that can be had here; if not, says so.
  static func works(in tool: Tool) async throws -> Bool {
    let run = try await tool.shell((prefix + ["true"]).joined(separator: " "))
    if run.status != 0 { print("Not tested: setpriv cannot take root's privileges away here.") }
    return run.status == 0
  }

  private static var prefix: [String] {
    geteuid() == 0 ? ["setpriv", "--bounding-set=-all"] : []
  }
}
