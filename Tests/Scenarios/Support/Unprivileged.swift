import Glibc

/// A user to whom permission bits apply: root does without its privilege to ignore them.
enum Unprivileged {
  /// The words that run a command of the tool so.
  static func words(_ line: String) -> [String] {
    prefix + [Tool.binary] + line.split(separator: " ").map(String.init)
  }

  /// Whether that can be had here; if not, says so.
  static func works(in tool: Tool) async throws -> Bool {
    let run = try await tool.shell((prefix + ["true"]).joined(separator: " "))
    if run.status != 0 { print("Not tested: setpriv cannot take root's privileges away here.") }
    return run.status == 0
  }

  private static var prefix: [String] {
    geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  }
}
