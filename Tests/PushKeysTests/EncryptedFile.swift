import Foundation
import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

/// A passphrase of a test.
func passphrase(_ text: String = "correct horse") -> Passphrase {
  Passphrase(copying: Array(text.utf8).span)!
}

extension Trait where Self == ConditionTrait {
  /// Enables tests of key files with a passphrase.
  static var needsArgon2id: Self {
    .enabled(
      if: Argon2id.isAvailable && XChaCha20Poly1305.isAvailable, "CryptoKit has no Argon2id and no XChaCha20")
  }
}

/// A folder with an encrypted file, whose passphrase costs next to nothing.
struct EncryptedFile {
  let folder: TemporaryFolder
  let file: KeyFile
  let set = Kind.x25519.makeSet()

  init() throws {
    folder = try TemporaryFolder()
    file = Self.cheap(folder.path(of: "keys.json"), passphrase())
    try file.create(set)
  }

  static func cheap(_ path: String, _ passphrase: Passphrase?) -> KeyFile {
    KeyFile(path: path, passphrase: passphrase, parameters: Argon2id.Parameters(passes: 1, memory: 8 << 10)!)
  }

  /// The same file with another passphrase, or none.
  func other(_ text: String?) -> KeyFile { Self.cheap(file.path, text.map { passphrase($0) }) }

  /// The file's text.
  var contents: String {
    get throws { try String(contentsOfFile: file.path, encoding: .utf8) }
  }

  /// Why other contents of the file do not load; nil if they do.
  func fault(of contents: String) throws -> KeyFileFault? {
    try folder.write(contents)
    do throws(KeyFileError) {
      _ = try file.load()
      return nil
    } catch {
      return error.fault
    }
  }
}

extension String {
  /// An encrypted file's text with the digest corrected.
  var withFittingDigest: String {
    let header = String(split(separator: "{")[1].prefix { $0 != "}" })
    let ciphertext = (try? Base64URL.decode(member("ciphertext"))) ?? []
    let digest = SHA256.digest((Array("{\(header)}".utf8) + ciphertext).span)
    return setting("sha256", to: "\"\(Base64URL.encode(digest.span))\"")
  }
}
