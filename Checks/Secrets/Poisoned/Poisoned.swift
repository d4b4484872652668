private import Glibc
import PushCrypto
import PushKeys

/// Computes with secrets that valgrind takes for undefined memory, so that it reports each branch and each address
/// that depends on them.
///
/// Its argument says what to compute; without one it lists what there is, those first that must be reported.
@main
enum Poisoned {
  private typealias Computation = @Sendable (_ secret: [UInt8], _ other: [UInt8]) throws -> Void

  private static let leaking: [(name: String, run: Computation)] = [
    ("leaking-equality", { mark($0 == $1) }),
    (
      "leaking-early-exit", { (secret, other) in mark(secret.indices.allSatisfy { secret[$0] == other[$0] }) }
    ),
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
    var secret = [UInt8](repeating: 0x5a, count: 32)
    let other = [UInt8](repeating: 0x5a, count: 32)
    poison.spread(over: &secret)
    try computation.run(secret, other)
    print("computed")
  }

  /// Uses a result, and looks at nothing of it.
  @inline(never)
  private static func mark<Value>(_ value: Value) { withExtendedLifetime(value) {} }
}

/// What `poison.c` does, which is preloaded.
@safe
private struct Poison {
  private let function: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void

  init?() {
    guard let symbol = unsafe dlsym(nil, "poison") else { return nil }
    unsafe function = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?, Int) -> Void).self)
  }

  func spread(over bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe function($0.baseAddress, $0.count) }
  }
}
