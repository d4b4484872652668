import PushCore
import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The key file that the doctor examines.
struct ExaminedFile {
  /// The key file's path.
  let path: String
  /// The path of the others' copy of the public half, if given.
  let copy: String?
  /// The path of the passphrase file, if given.
  let passphraseFile: String?
  /// The path of the roots' public set, if given.
  private let roots: String?
  /// The app's bundle ID, if given.
  private let topic: String?

  init(path: String, arguments: Arguments) {
    self.path = path
    copy = arguments[.publicSet] ?? arguments[.senders]
    passphraseFile = arguments[SourceOptions.passphrase.file]
    roots = arguments[.root]
    topic = arguments.text(of: .topic)
  }

  /// The prefix of commands that need root.
  static var sudo: String { geteuid() == 0 ? "" : "sudo " }

  /// The age in days from which on an active key is due for rotation: a set that a root signs must reach every device
  /// between two rotations of a sender.
  func daysToRotation(for role: KeyRole) -> Int64 { role == .sender && roots != nil ? 60 : 30 }

  /// The path, quoted for the shell.
  var word: String { ShellWord.quoted(path) }

  /// The options that open the file.
  var options: String {
    "--keys \(word)" + (passphraseFile.map { " --passphrase-file \(ShellWord.quoted($0))" } ?? "")
  }

  /// The copy's path, quoted for the shell.
  var copyWord: String { ShellWord.quoted(copy ?? "FILE") }

  /// The path of the set to hand out, beside the copy; no command writes the copy itself.
  var toHandOut: String { "\(copy ?? "FILE").to-hand-out" }

  /// The root's file, quoted for the shell: the name of its public half without `.pub`.
  var rootWord: String {
    let (path, ending) = (roots ?? "root.pub.jwks", ".pub.jwks")
    guard !path.hasSuffix(ending) else { return ShellWord.quoted(path.dropLast(ending.count) + ".jwks") }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return ShellWord.quoted(folder + "root.jwks")
  }

  /// The command that writes the public set to hand out, with the keys of others that the copy has if `keepsOthers`.
  func export(keepsOthers: Bool, without gone: Thumbprint? = nil) -> String {
    let new = ShellWord.quoted(toHandOut)
    let without = gone.map { " --without=\($0.text)" } ?? ""
    let export = "sealpush keys export \(options)"
    guard roots == nil else {
      let unsigned = ShellWord.quoted("\(copy ?? "FILE").to-sign")
      return "\(export) --beside \(copyWord) \(signedOptions)\(without) --out \(unsigned) --force"
        + " && sealpush keys sign-senders --keys \(rootWord) --senders \(unsigned) \(topicOption)"
        + " --out \(new) --force"
    }
    return "\(export)\(keepsOthers ? " --beside \(copyWord)\(without)" : "") --out \(new) --force"
  }

  /// The command that signs the copy's set again, to hand it out; `root` are the options that open the root's file.
  func signing(with root: String) -> String {
    "sealpush keys sign-senders \(root) --senders \(copyWord) \(signedOptions)"
      + " --out \(ShellWord.quoted(toHandOut)) --force"
  }

  /// What to do with the set that these commands write.
  var advice: String {
    "hand out \(toHandOut), which the command writes\(roots == nil ? "" : " where the root's file is"),"
      + " and fetch the copy again when others have it"
  }

  private var signedOptions: String { "--root \(ShellWord.quoted(roots ?? "root.pub.jwks")) \(topicOption)" }

  private var topicOption: String { "--topic \(ShellWord.quoted(topic ?? "ID"))" }

  /// An unused file name, quoted for the shell.
  static func freeWord(for path: String, ending: String) -> String {
    var name = "\(path).\(ending)"
    var number = 2
    while FileStatus.isThere(name) {
      name = "\(path).\(ending)\(number)"
      number += 1
    }
    return ShellWord.quoted(name)
  }

  private var algorithms: [KeyAlgorithm] { (try? KeyFile(path: path).apparentAlgorithms()) ?? [] }

  /// Whether the file's text shows the kinds of its keys; the text of an encrypted file does not.
  var isPlainText: Bool { !algorithms.isEmpty }

  /// The options that make a file of such keys; nil if they are unknown.
  var newOptions: String? {
    let isDevices = algorithms.allSatisfy { $0.role == .device }
    switch algorithms.first {
    case .ed25519? where algorithms.count == 1: return "--role sender"
    case .shared? where algorithms.count == 1: return "--role shared"
    case let first? where isDevices: return "--role device --suite \((first.suite ?? .x25519ChaChaPoly).name)"
    default: return nil
    }
  }
}
