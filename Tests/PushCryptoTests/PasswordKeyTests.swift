import PushCrypto
import Testing

/// Keys from passwords; where no document is named, the values are from Python's `hashlib`.
struct PasswordKeyTests {
  private let password = [UInt8]("correct horse".utf8)
  private let salt = [UInt8](1...8)

  /// RFC 6070, the first three and the fifth.
  @Test(
    .enabled(if: PBKDF2.isAvailable(with: .sha1), "CryptoKit has no PBKDF2"),
    arguments: [
      ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
      ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
      ("password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
      (
        "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
      ),
    ])
  func `PBKDF2 gives the RFC's keys`(password: String, salt: String, iterations: Int, key: String) throws {
    let (password, salt) = ([UInt8](password.utf8), [UInt8](salt.utf8))
    let derived = try PBKDF2.key(
      of: password.span, salt: salt.span, iterations: iterations, digest: .sha1, count: bytes(key).count)
    #expect(exposed(derived) == bytes(key))
  }

  @Test(arguments: [
    (
      Digest.md5,
      "b7452868d2f2fc71d07c49cbe53e0b7238905b0716e740a1ef6f69036bea4301a8af012dbe4ef15c4ee5bc24f574f2b6"
    ),
    (
      .sha1,
      "cafee10f25d9178ae44a2f9fd6a616949db23afc5a9f1006c029c40d65e73fcf60a12b5ffcec800959afe252aa79c1ac"
    ),
    (
      .sha256,
      "3b844e07caecbc98d9e4a82b5c67fa84a50ffcf119b7eb4cf1a2efabcbc67f03bf53a1e9a48cac54d9442be8f8734768"
    ),
    (
      .sha512,
      "cafed5a0cfaf253424c41d3687fbdc4f30b1d696dbda87902623f5e1499deeea4e074559c62b317aa0aef75c677c4ef0"
    ),
  ])
  func `PBKDF2 with each digest, three iterations`(digest: Digest, key: String) throws {
    guard PBKDF2.isAvailable(with: digest) else {
      // CommonCrypto's PBKDF2 has no MD5.
      #expect(throws: CryptoError.unavailable) {
        _ = try PBKDF2.key(of: password.span, salt: salt.span, iterations: 3, digest: digest, count: 48)
      }
      return
    }
    let derived = try PBKDF2.key(
      of: password.span, salt: salt.span, iterations: 3, digest: digest, count: 48)
    #expect(exposed(derived) == bytes(key))
  }

  /// The values follow from the rule D(i) = H(D(i-1) | password | salt).
  @Test(arguments: [
    (
      Digest.md5,
      "bcf8d941d9291141709c9d56360eb7148e3960ab3dc44d832c4028568545c91d5a7a1d12207f801d2f6f4cf578e8708c"
    ),
    (
      .sha1,
      "352644bbf67310c29d04ee4448d1189a5dea2916c094f4ba4bf5f32af3b785a13a6cb396ee267da06b13894321ea501b"
    ),
    (
      .sha256,
      "085b2ae493df8814345b7b91e439daa3ef6692712af5aef7f55f853e427aca301438eed66ccd26d7839cc92eb57e91f7"
    ),
    (
      .sha512,
      "82039b3891c3582aa0239b85bff8fdc8335832f75382df93a23f1de9c1ab486fdef84f466c7e03910f32e6363735b961"
    ),
  ])
  func `the older way with each digest, one round`(digest: Digest, key: String) throws {
    let derived = try EVPBytesToKey.key(of: password.span, salt: salt.span, digest: digest)
    #expect(exposed(derived) == bytes(key))
  }
}
