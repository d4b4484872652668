import Foundation
import PushCompat
import PushCrypto
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What `openssl enc -aes-256-cbc` writes.
struct OpenSSLVectors {
  private static let text = #"{"title":"Hi","body":"Secret"}"#
  private static let usual: JSONObject = [
    "password": "correct horse", "iterations": 10000, "digest": "sha256",
  ]

  func all() throws -> [FormatVector] {
    let good = try sealed("padded", "a base64 text that ends with padding", plaintext: "Lunch at noon?")
    return try derivations() + lines(good) + [good] + shapes()
      + TextFaults(good: good, member: "ENCRYPTED_DATA")
      .all(EncodingFaults.base64InLines) + layoutFaults(good) + paddingFaults(good) + refusals(good)
  }

  private func derivations() throws -> [FormatVector] {
    var vectors = [
      try sealed(
        "worked", "with -pbkdf2 alone and the salt 01 02 … 08", salt: Array(1...8))
    ]
    for digest in ["md5", "sha1", "sha256", "sha512"] {
      vectors.append(
        try sealed(
          "bytes-to-key-\(digest)", "one round of a digest, without -pbkdf2",
          ["password": "correct horse", "digest": .string(digest)]))
      vectors.append(
        try sealed(
          "pbkdf2-\(digest)", "another number of iterations, by one digest or another",
          ["password": "correct horse", "iterations": 1000, "digest": .string(digest)]))
    }
    return vectors + [
      try sealed(
        "iterations-1", "as few iterations as there can be",
        ["password": "correct horse", "iterations": 1, "digest": "sha256"]),
      try sealed(
        "iterations-1000000", "as many iterations as there can be",
        ["password": "correct horse", "iterations": 1_000_000, "digest": "sha256"]),
      try sealed(
        "password-utf8", "a password is its UTF-8",
        ["password": "pässwörd 🐎", "iterations": 1, "digest": "sha256"]),
      try sealed(
        "password-1024", "a password as long as it can be",
        ["password": .string(String(repeating: "p", count: 1024)), "iterations": 1, "digest": "sha256"]),
    ]
  }

  /// White space where it may be.
  private func lines(_ good: FormatVector) throws -> [FormatVector] {
    let text = try #require(good.payload["ENCRYPTED_DATA"]?.string)
    let line = text.prefix(4) + "\n" + text.dropFirst(4).prefix(28) + "\r\n" + text.dropFirst(32)
    return [
      try wrapped(),
      changed(
        good, "white-space", "white space of every kind, at both ends too", text: " \t\(line) \t\r\n\n"),
    ]
  }

  private func wrapped() throws -> FormatVector {
    let good = try sealed(
      "lines", "", plaintext: #"{"title":"Ada","body":"Lunch at noon? Bring the punched cards."}"#)
    let text = try #require(good.payload["ENCRYPTED_DATA"]?.string)
    return changed(
      good, "wrapped", "in lines of 64 characters, as -a writes it",
      text: "\(text.prefix(64))\n\(text.dropFirst(64))\n")
  }

  private func changed(
    _ good: FormatVector, _ suffix: String, _ comment: String, text: String
  ) -> FormatVector {
    var vector = FormatVector(
      id: "openssl-salted-\(suffix)", comment: comment, format: good.format, parameters: good.parameters,
      payload: good.payload, outcome: good.outcome)
    vector.payload["ENCRYPTED_DATA"] = .string(text)
    return vector
  }

  private func shapes() throws -> [FormatVector] {
    var elsewhere = try sealed("member", "in a member that both sides agreed on", with(["member": "secret"]))
    elsewhere.payload["secret"] = elsewhere.payload["ENCRYPTED_DATA"]
    elsewhere.payload["ENCRYPTED_DATA"] = nil
    var state = try sealed("liveactivity", "in the state of a Live Activity")
    let members: JSONObject = ["ENCRYPTED_DATA": state.payload["ENCRYPTED_DATA"] ?? .null]
    state.payload = [
      "aps": ["timestamp": 1_795_000_000, "event": "update", "content-state": .object(members)]
    ]
    var both = try sealed("liveactivity-both", "the member at the top level comes first")
    both.payload["aps"] = ["content-state": ["ENCRYPTED_DATA": "U2FsdGVkX1"]]
    return [
      elsewhere, state, both, try sealed("empty", "no plaintext: one block of padding", plaintext: ""),
      try sealed(
        "block", "a whole block, and one of padding behind it", plaintext: "Lunch at noon ??"),
      try sealed(
        "8192", "as many characters as are looked at",
        plaintext: String(repeating: "x", count: 6144 - 32)), try altered(),
    ]
  }

  /// CBC notices nothing: a block is nonsense, and a bit of the next one is what somebody chose.
  private func altered() throws -> FormatVector {
    var vector = try sealed(
      "altered", "a bit was flipped on the way: it opens, altered, for nothing is authenticated",
      plaintext: #"{"note":"0123456789","pay":"100 pounds"}"#)
    var bytes = try bytes(vector)
    // The `1` of the amount stands in the second block; the first one is what suffers.
    bytes[16 + 12] ^= 0x08
    vector.random = nil
    vector.payload["ENCRYPTED_DATA"] = .string(Data(bytes).base64EncodedString())
    vector.outcome = .opened(try decrypted(bytes, vector.parameters))
    return vector
  }

  private func with(_ members: JSONObject) -> JSONObject {
    var parameters = Self.usual
    for (name, value) in members { parameters[name] = value }
    return parameters
  }

  private func sealed(
    _ suffix: String, _ comment: String, _ parameters: JSONObject = usual, plaintext: String = text,
    salt: [UInt8]? = nil
  ) throws -> FormatVector {
    let id = "openssl-salted-\(suffix)"
    let salt = salt ?? Array(FixedRandomness.bytes(of: id).prefix(8))
    let bytes = try encrypted(Array(plaintext.utf8), parameters, salt)
    return FormatVector(
      id: id, comment: comment, format: OpenSSLSalted.name, parameters: parameters, random: salt,
      payload: [
        "aps": ["alert": ["title": "Secret Message!", "body": "(Encrypted)"], "mutable-content": 1],
        "ENCRYPTED_DATA": .string(Data(bytes).base64EncodedString()),
      ], outcome: .opened(Array(plaintext.utf8)))
  }

  func encrypted(
    _ plaintext: [UInt8], _ parameters: JSONObject, _ salt: [UInt8]
  ) throws -> [UInt8] {
    let format = try #require(try FormatOpener.format(OpenSSLSalted.name, parameters) as? OpenSSLSalted)
    return try format.sealedBytes(of: plaintext.span, random: FixedRandomness(bytes: salt))
  }

  private func decrypted(_ bytes: [UInt8], _ parameters: JSONObject) throws -> [UInt8] {
    let format = try #require(try FormatOpener.format(OpenSSLSalted.name, parameters) as? OpenSSLSalted)
    return try format.open(bytes: bytes.span)
  }

  func bytes(_ vector: FormatVector) throws -> [UInt8] {
    Array(try #require(vector.payload["ENCRYPTED_DATA"]?.string.flatMap { Data(base64Encoded: $0) }))
  }
}
