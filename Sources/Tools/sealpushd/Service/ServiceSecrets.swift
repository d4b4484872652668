internal import PushCommands
internal import PushCore
internal import PushCrypto
internal import PushNetwork
private import Synchronization

/// The secrets by which a service knows its proxy: one, or two while it changes.
final class ServiceSecrets: Sendable {
  /// The header that has the secret.
  static let header = "sealedpush-secret"

  /// How long a secret is, in bytes.
  private static let sizes = 32...255

  private let paths: [String]
  /// The SHA-256 of each.
  private let digests: Mutex<[[UInt8]]>

  /// Reads the files of `--secret-file`.
  init(from arguments: Arguments) throws(ToolError) {
    paths = arguments.all(.secretFile)
    guard paths.count <= 2 else {
      throw .usage("give \(Option.secretFile) at most twice: for the secret, and for the one before")
    }
    guard !paths.contains("-") else {
      throw .usage("\(Option.secretFile) must be a file, not standard input")
    }
    digests = Mutex(try Self.digests(of: paths))
  }

  /// Reads the files again; if that fails, what was read before stays.
  func readAgain() throws(ToolError) {
    let new = try Self.digests(of: paths)
    digests.withLock { $0 = new }
  }

  private static func digests(of paths: [String]) throws(ToolError) -> [[UInt8]] {
    try paths.map { (path) throws(ToolError) in try read(path) { SHA256.digest($0) } }
  }

  /// The secret of a file, for the proxy's side.
  static func secret(in path: String) throws(ToolError) -> SharedSecret {
    try read(path) { SharedSecret(Secret(copying: $0)) }
  }

  /// Reads the line of a file.
  private static func read<Value>(
    _ path: String, _ value: (Span<UInt8>) -> Value
  ) throws(ToolError) -> Value {
    let what = "a secret: a line of \(sizes.lowerBound) to \(sizes.upperBound) visible ASCII characters"
    let secret = try FormatSecret(path: path)
    return try secret.read(as: what, hint: "make one: openssl rand -hex 32") { line in
      let isFit = line.indices.allSatisfy {
        (0x21...0x7e).contains(line[$0]) && line[$0] != UInt8(ascii: ",")
      }
      return isFit && sizes.contains(line.count) ? value(line) : nil
    }
  }

  /// Whether a request has one of the secrets, in a time that does not depend on it.
  func accept(_ request: PlainRequest) -> Bool {
    guard !request.repeated.contains(Self.header), let text = request.headers[Self.header] else {
      return false
    }
    let bytes = Array(text.utf8)
    let digest = SHA256.digest(bytes.span)
    return digests.withLock { digests in
      digests.map { ConstantTime.equal($0.span, digest.span) }.contains(true)
    }
  }
}

extension Option<String> {
  static var secretFile: Self { Self("--secret-file", "FILE", file: .input) }
}
