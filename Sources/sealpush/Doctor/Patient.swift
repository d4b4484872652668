import PushKeys

/// What the doctor looks at.
struct Patient {
  /// The key file's path.
  let path: String
  /// Where the others' copy of the public half is, if it was given.
  let copy: String?
  /// The file that has the passphrase, if it was given.
  let passphraseFile: String?

  init(_ path: String, _ arguments: Arguments) {
    self.path = path
    copy = arguments["--public"] ?? arguments["--senders"]
    passphraseFile = arguments["--passphrase-file"]
  }

  /// What lets a command do what only root may.
  static var sudo: String { PathEntry.isRoot ? "" : "sudo " }

  /// The path as a shell's word.
  var word: String { ShellWord.quoted(path) }

  /// The options that open the file.
  var options: String {
    "--keys \(word)" + (passphraseFile.map { " --passphrase-file \(ShellWord.quoted($0))" } ?? "")
  }

  /// The copy as a shell's word: the file itself, where a link leads there.
  var copyWord: String {
    guard let copy else { return "FILE" }
    return ShellWord.quoted(PathEntry(at: copy) == .link ? PathEntry.target(of: copy) : copy)
  }

  /// A name that nothing has, to keep a file under, as a shell's word.
  static func freeWord(_ path: String, _ ending: String) -> String {
    var name = "\(path).\(ending)"
    var number = 2
    while PathEntry(at: name) != .nothing {
      name = "\(path).\(ending)\(number)"
      number += 1
    }
    return ShellWord.quoted(name)
  }
}
