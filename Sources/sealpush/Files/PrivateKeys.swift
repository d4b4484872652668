private import Glibc
import PushEnvelope
import PushKeys

/// Private keys of other programs, with their errors in the operator's words.
enum PrivateKeys {
  /// Reads a key, from standard input for `-`.
  static func read(
    _ path: String, as format: KeyFormat, _ algorithm: KeyAlgorithm
  ) throws(ToolError) -> PrivateKey {
    let file = path == "-" ? STDIN_FILENO : try FileInput.open(path)
    defer { if path != "-" { close(file) } }
    var failure: Int32 = 0
    let input = PrivateKeyInput { (bytes, place) in
      let count = fill(&bytes, from: file, at: place)
      if count < 0 { failure = errno }
      return count
    }
    guard let input else {
      guard failure != 0 else { throw ToolError(.badData, "\(path) is longer than any key") }
      throw ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: failure))")
    }
    let key: PrivateKey
    do throws(PrivateKeyError) {
      key = try input.key(as: format, algorithm)
    } catch {
      throw describe(error, path, format)
    }
    guard key.algorithm == algorithm else {
      let role = key.algorithm.suite.map { "--role device --suite \($0.name)" } ?? "--role sender"
      throw ToolError(
        .badData, "\(path) has a key of another kind than was asked for", hint: "it goes with \(role)")
    }
    return key
  }

  private static func fill(_ bytes: inout MutableSpan<UInt8>, from file: Int32, at place: Int) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
        return unsafe Glibc.read(file, rest.baseAddress, rest.count)
      }
      guard count < 0 && errno == EINTR else { return count }
    }
  }

  private static func describe(_ error: PrivateKeyError, _ path: String, _ format: KeyFormat) -> ToolError {
    switch error {
    case .malformed: ToolError(.badData, "\(path) is no private key in the format \(format.rawValue)")
    case .encrypted:
      ToolError(
        .badData, "\(path) is under a password, which is not asked for here",
        hint: "openssl pkey -in \(ShellWord.quoted(path)) takes it off; keep what it writes from others")
    case .notPrivate: ToolError(.badData, "\(path) has a public key, and a private one is needed")
    case .unsupported: ToolError(.badData, "\(path) has no key of X25519, P-256 or Ed25519")
    case .notPKCS8:
      ToolError(
        .badData, "\(path) has no PKCS#8 key",
        hint: "openssl pkey -in \(ShellWord.quoted(path)) writes PKCS#8")
    case .notOneKey:
      ToolError(
        .badData, "\(path) is a set, or has several private keys, and one key is needed",
        hint: "of a key file: sealpush keys export --format jwk --private --kid=NAME")
    case .mismatch: ToolError(.badData, "\(path): its public half is another key's")
    case .jwk(let error): ToolError(.badData, "\(path): \(KeySetText.describe(error))")
    }
  }
}
