private import Glibc
import PushCrypto
import Synchronization

/// lanes-proof COUNT: seals COUNT messages of each suite and signs as many texts, in batches, from inputs that are always the
/// same, and prints a digest of each batch's results.
///
/// The digests must be the same with lanes and without. Standard error says what is computed in lanes.
@main
enum LanesProof {
  private static let suites: [(name: String, suite: HPKESuite)] = [
    ("x25519-chachapoly", .x25519ChaChaPoly), ("p256-aesgcm", .p256AESGCM), ("xwing-aesgcm", .xwingAESGCM),
  ]

  static func main() throws {
    guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
      complain("usage: lanes-proof COUNT")
      exit(64)
    }
    for (algorithm, state) in SystemLibraries.lanes { complain("\(algorithm): \(state)") }
    for (name, suite) in suites where suite.kem.isAvailable {
      try batches(of: count, named: name) { try sealed($0, by: suite, from: $1) }
    }
    try batches(of: count, named: "ed25519") { try signatures($0, from: $1) }
  }

  /// Prints the digest of each batch's results, which `results` computes for a number of messages.
  private static func batches(
    of count: Int, named name: String, results: (Int, Stream) throws -> [UInt8]
  ) throws {
    for start in stride(from: 0, to: count, by: HPKEBatch.maximumCount) {
      let stream = Stream(label: "\(name) \(start)", isRepeatable: name.hasPrefix("xwing"))
      let bytes = try results(min(HPKEBatch.maximumCount, count - start), stream)
      let digest = SHA256.digest(bytes.span)
      print(name, start, digest.map { String($0, radix: 16) }.joined(separator: "."))
    }
  }

  /// The encapsulated keys and ciphertexts of messages to as many recipients, of which some are refused.
  private static func sealed(_ count: Int, by suite: HPKESuite, from stream: Stream) throws -> [UInt8] {
    let recipients = try recipients(of: suite, from: stream, count: count)
    let batch = try HPKEBatch(to: recipients, suite: suite, random: stream)
    var results: [UInt8] = []
    for recipient in recipients {
      let text = stream.bytes(100)
      do throws(CryptoError) {
        let message = try batch.seal(text.span, to: recipient.span, info: recipient.span, aad: Span())
        results += message.encapsulatedKey + message.ciphertext
      } catch {
        results.append(0)
      }
    }
    return results
  }

  /// Public keys, some of which are refused.
  ///
  /// Any 32 bytes are a point for X25519. Points of the other suites are picked from a few, because they take long to make.
  private static func recipients(
    of suite: HPKESuite, from stream: Stream, count: Int
  ) throws -> [[UInt8]] {
    let isX25519 = suite.kem.publicKeySize == 32
    let few = try (1...16).map { (number: UInt8) in
      let privateKey = [UInt8](repeating: number, count: 32)
      return try suite.kem.publicKey(of: privateKey.span)
    }
    return (0..<count).map { _ in
      let pick = Int(stream.bytes(1)[0])
      guard pick % 16 != 0 else {
        return [UInt8](repeating: UInt8(pick / 16 % 2), count: suite.kem.publicKeySize)
      }
      return isX25519 ? stream.bytes(32) : few[pick % 16]
    }
  }

  /// Signatures on texts of up to 511 bytes.
  private static func signatures(_ count: Int, from stream: Stream) throws -> [UInt8] {
    let privateKey = stream.bytes(32)
    let publicKey = try Ed25519.publicKey(of: privateKey.span)
    let texts = (0..<count).map { _ in stream.bytes(Int(stream.bytes(1)[0]) * 2 + 1) }
    return try Ed25519.sign(texts, privateKey: privateKey.span, publicKey: publicKey.span).flatMap(\.self)
  }

  private static func complain(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}

/// Bytes that follow from a label.
private final class Stream: RandomSource {
  /// Whether ephemeral keys are derived from the bytes; they are the keys otherwise.
  let isRepeatable: Bool

  private let label: [UInt8]
  private let state = Mutex<(counter: UInt64, rest: ArraySlice<UInt8>)>((0, []))

  init(label: String, isRepeatable: Bool) {
    self.label = Array(label.utf8)
    self.isRepeatable = isRepeatable
  }

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    let drawn = self.bytes(bytes.count)
    for index in bytes.indices { bytes[index] = drawn[index] }
  }

  func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      while state.rest.count < count {
        let input = label + Array(" \(state.counter)".utf8)
        state.rest += SHA256.digest(input.span)
        state.counter += 1
      }
      defer { state.rest = state.rest.dropFirst(count) }
      return Array(state.rest.prefix(count))
    }
  }
}
