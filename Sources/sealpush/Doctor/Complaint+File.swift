import PushEnvelope
import PushKeys

extension Complaint {
  /// What is wrong with a file that does not load; null if that is nothing that the file's owner can mend there.
  init?(_ error: KeyFileError, _ patient: Patient) {
    let (path, word) = (patient.path, patient.word)
    let sudo = Patient.sudo
    let me = "\"$(id -un)\""
    var message = Keys.describe(error, path).message
    let (code, mend): (String, String)
    switch error {
    case .tooPermissive: (code, mend) = ("file-permissions", "chmod 600 \(word)")
    case .wrongOwner: (code, mend) = ("file-owner", "\(sudo)chown \(me) \(word)")
    case .folderWritableByOthers:
      let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
      let isOwn = PathEntry.isOwn(folder.isEmpty ? "/" : folder)
      (code, mend) = ("folder-permissions", "\(isOwn ? "" : sudo)chmod go-w \(ShellWord.folder(of: path))")
    case .folderOfAnotherUser:
      (code, mend) = ("folder-owner", "\(sudo)chown \(me) \(ShellWord.folder(of: path))")
    case .notEncrypted:
      message += ": it may be an older file, or one that somebody put there; keys list shows its keys"
      let new = patient.passphraseFile.map { " --new-passphrase-file \(ShellWord.quoted($0))" } ?? ""
      (code, mend) = ("not-encrypted", "sealpush keys passphrase --keys \(word)\(new)")
    case .keySet(.unsupportedVersion):
      message += " of sealpush, which opens it: install that; the file may be whole"
      (code, mend) = ("newer-version", "sealpush --version")
    case .keySet(.missingPrivateKey): return nil
    case .keySet(let error): self.init(error, message, patient); return
    case .damaged, .unreasonableParameters, .tooLarge: self.init(broken: message, patient); return
    case .missing, .exists, .notRegularFile, .notPermitted, .busy, .passphraseNeeded, .wrongPassphrase,
      .notEnoughMemory, .encryptionUnavailable, .notDurable, .system:
      return nil
    }
    self.init(severity: .error, code: code, kid: nil, message: message, mend: mend)
  }

  /// A file whose keys may all be whole, and that a person can set right; or another that does not load.
  private init(_ error: KeySetError, _ message: String, _ patient: Patient) {
    let advice: String
    switch error {
    case .twoActiveKeys:
      advice = "all its keys may be in use; of two, the later one is newer: make the other's status accepted"
    case .noActiveKey: advice = "what it has may still be in use: make the newest key's status active"
    case .misplacedNextKey: advice = "make the status of the older one accepted"
    default:
      self.init(broken: message, patient)
      return
    }
    guard patient.isPlainText else {
      self.init(broken: message, patient)
      return
    }
    // The editor may put a new file in the place of the old one.
    let (word, aside) = (patient.word, Patient.freeWord(patient.path, "broken"))
    let mend =
      "cp -p \(word) \(aside) && ${EDITOR:-vi} \(word) && chmod 600 \(word)"
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", mend: mend)
  }

  /// A file that has to be replaced, and is kept all the same.
  private init(broken message: String, _ patient: Patient) {
    var advice = "put a backup in its place"
    var mend = "mv -n \(patient.word) \(Patient.freeWord(patient.path, "broken"))"
    if let options = patient.newOptions {
      advice +=
        "; if there is none, this makes a file with another key, whose public half is to be handed out"
      mend += " && sealpush keys new \(options) --out \(patient.word)"
    }
    self.init(
      severity: .error, code: Self.doesNotLoad, kid: nil, message: "\(message); \(advice)", mend: mend)
  }

  private static let doesNotLoad = "does-not-load"
}

extension Patient {
  private var algorithms: [KeyAlgorithm] { (try? KeyFile(path: path).apparentAlgorithms()) ?? [] }

  /// Whether the file's text shows what its keys are, as that of an encrypted one does not.
  fileprivate var isPlainText: Bool { !algorithms.isEmpty }

  /// How a file of such keys is made; null if that cannot be told.
  fileprivate var newOptions: String? {
    let isDevices = algorithms.allSatisfy { $0 == .x25519 || $0 == .p256 }
    switch algorithms.first {
    case .ed25519? where algorithms.count == 1: return "--role sender"
    case .shared? where algorithms.count == 1: return "--role shared"
    case let first? where isDevices: return "--role device --suite \((first.suite ?? .x25519ChaChaPoly).name)"
    default: return nil
    }
  }
}
