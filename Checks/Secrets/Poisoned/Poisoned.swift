private import Glibc
import PushCrypto
import PushCore
import PushKeys

/// Computes with secrets that valgrind treats as undefined memory, so that it reports each branch and each address that
/// depends on them.
///
/// The first argument names the computation; without one the program lists all computations, first those that must be
/// reported. A second argument, a number below 256, chooses another secret.
@main
enum Poisoned {
  private typealias Computation = @Sendable (_ secret: [UInt8], _ other: [UInt8]) throws -> Void

  private static let leaking: [(name: String, run: Computation)] = [
    ("leaking-equality", { mark($0 == $1) }),
    (
      "leaking-early-exit", { (secret, other) in mark(secret.indices.allSatisfy { secret[$0] == other[$0] }) }
    ),
    ("leaking-count", { (secret, _) in mark(Poison.leak(secret)) }),
    ("leaking-table", { (secret, other) in mark(other[Int(secret[0]) % 32]) }),
  ]

  private static let constant: [(name: String, run: Computation)] = [
    ("equal", { mark(ConstantTime.equal($0.span, $1.span)) }),
    ("equal-to-itself", { (secret, _) in mark(ConstantTime.equal(secret.span, secret.span)) }),
    ("zero", { (secret, _) in mark(ConstantTime.isZero(secret.span)) }),
    (
      "passphrases",
      { (secret, other) in
        guard let typed = Passphrase(copying: secret.span), let again = Passphrase(copying: other.span) else {
          exit(2)
        }
        mark(typed.isSame(as: again))
      }
    ),
    (
      "base64url-writing",
      { (secret, _) in
        var text: [UInt8] = []
        text.reserveCapacity(64)
        Base64URL.append(secret.span, to: &text)
        mark(text)
      }
    ),
    ("base64url-reading", { (secret, _) in mark(try Base64URL.decode(letters(secret).span)) }),
    ("x25519-public-key", { (secret, _) in mark(try X25519.publicKey(of: secret.span)) }),
    (
      "x25519-shared-secret",
      { (secret, other) in
        let publicKey = try X25519.publicKey(of: other.span)
        mark(try X25519.sharedSecret(privateKey: secret.span, publicKey: publicKey.span))
      }
    ),
    ("p256-public-key", { (secret, _) in mark(try P256.publicKey(of: secret.span)) }),
    (
      "p256-shared-secret",
      { (secret, other) in
        let publicKey = try P256.publicKey(of: other.span)
        mark(try P256.sharedSecret(privateKey: secret.span, publicKey: publicKey.span))
      }
    ),
    ("decapsulation-x25519", { try decapsulate($0, DHKEM.x25519, enc: X25519.publicKey(of: $1.span)) }),
    ("decapsulation-p256", { try decapsulate($0, DHKEM.p256, enc: P256.publicKey(of: $1.span)) }),
    ("ed25519-public-key", { (secret, _) in mark(try Ed25519.publicKey(of: secret.span)) }),
    ("ed25519-signature", { mark(try Ed25519.sign($1.span, privateKey: $0.span, publicKey: $1.span)) }),
  ]

  static func main() throws {
    let all = leaking + constant
    guard let name = CommandLine.arguments.dropFirst().first else {
      for computation in all { print(computation.name) }
      return
    }
    guard let computation = all.first(where: { $0.name == name }), let poison = Poison() else { exit(2) }
    let seed = CommandLine.arguments.dropFirst(2).first.flatMap { UInt8($0) } ?? 0x5a
    var secret = (0..<32).map { seed &+ 7 &* UInt8($0) }
    let other = [UInt8](repeating: 0x5a, count: 32)
    poison.spread(over: &secret)
    try computation.run(secret, other)
    print("computed")
  }

  /// Decap(enc, skR) (RFC 9180, 4.1), with any public key for the recipient's own.
  private static func decapsulate(_ secret: [UInt8], _ kem: DHKEM, enc: [UInt8]) throws {
    mark(try kem.decapsulate(enc.span, skR: secret.span, pkR: enc.span, by: HMACSHA256()))
  }

  /// A valid base64url text that depends on the secret, and is computed without branching on it.
  private static func letters(_ secret: [UInt8]) -> [UInt8] { secret.map { UInt8(ascii: "a") &+ $0 % 16 } }

  /// Uses a result without branching on it.
  @inline(never)
  private static func mark<Value: ~Copyable>(_ value: borrowing Value) {}
}

/// The functions of `poison.c`, which is preloaded.
@safe
private struct Poison {
  private typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int) -> Int

  private let function: Function

  private init?(_ name: String) {
    guard let symbol = unsafe dlsym(nil, name) else { return nil }
    unsafe function = unsafeBitCast(symbol, to: Function.self)
  }

  init?() { self.init("poison") }

  func spread(over bytes: inout [UInt8]) {
    _ = unsafe bytes.withUnsafeMutableBytes { unsafe function($0.baseAddress, $0.count) }
  }

  /// Takes a number of steps that depends on a secret.
  static func leak(_ secret: [UInt8]) -> Int? {
    var secret = secret
    return unsafe secret.withUnsafeMutableBytes { unsafe Poison("leak")?.function($0.baseAddress, $0.count) }
  }
}
