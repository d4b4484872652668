private import Glibc

extension Arguments {
  private static let read = [
    "--in", "--keys", "--senders", "--to", "--from", "--public", "--attach", "--descriptor", "FILE",
    "BLOB", "--passphrase-file", "--identity", "--root", "--registrations", "--enrolment", "--secret",
  ]
  private static let written = ["--out", "--headers"]

  /// The path of a file, which standard input and output cannot stand in for.
  func file(_ name: String) throws(ToolError) -> String {
    let path = try required(name)
    guard path != "-" else { throw .usage("\(name) is a file, not standard input or output") }
    return path
  }

  /// Makes sure that no file that is written is one that is read, by whatever path: with --force, a private key
  /// file would be lost.
  func checkFilesDiffer() throws(ToolError) {
    if let headers = self["--headers"] {
      let payload = self["--out"] ?? "-"
      guard headers != payload, !Self.isSameFile(headers, payload) else {
        throw .usage("--headers and --out are the same")
      }
    }
    for output in Self.written {
      for input in Self.read {
        guard let written = self[output], let read = self[input] else { continue }
        guard Self.isSameFile(written, read) else { continue }
        throw .usage("\(output) and \(input) are the same file")
      }
    }
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard one != "-", other != "-", unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else {
      return false
    }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino && first.st_mode & S_IFMT == S_IFREG
  }
}
