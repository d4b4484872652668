import PushCompat
import PushCrypto
import PushCore
import PushReceiver
import Testing

/// Other systems' envelopes open, or do not for their reason.
@Suite struct FormatVectorTests {
  private let folder = VectorFolder()

  private func vectors() throws -> [JSONObject] { try folder.read("formats.json") }

  private func format(of vector: JSONObject) throws -> (any EnvelopeFormat)? {
    try FormatOpener.format(
      try #require(vector["format"]?.string), try #require(vector["parameters"]?.object))
  }

  @Test func everyPayloadOpensOrDoesNot() throws {
    let vectors = try vectors()
    #expect(vectors.count >= 250)
    var beyond: [String: Int] = [:]
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let payload = try folder.object(vector["payload"])
      guard let format = try format(of: vector) else {
        if Self.isBeyond(vector) {
          beyond[OpenSSLSalted.name, default: 0] += 1
          continue
        }
        #expect(vector["expect"] == "refused", "\(id)")
        continue
      }
      do throws(EnvelopeFormatError) {
        let plaintext = try format.open(payload)
        #expect(vector["expect"] == "opened" && vector["rule"] == nil, "\(id)")
        #expect(vector["plaintext"]?.string == Base64URL.encode(plaintext.span), "\(id)")
      } catch .unavailable {
        beyond[type(of: format).name, default: 0] += 1
        #expect(vector["expect"] == "opened" || vector["expect"] == "not-authentic", "\(id)")
      } catch {
        #expect(vector["expect"]?.string == error.code && vector["rule"] != nil, "\(id): \(error)")
        #expect(
          vector["member"]?.string.map(EnvelopeFormatError.malformed(member:)) ?? error == error, "\(id)")
      }
    }
    #expect(beyond == Self.beyond)
  }

  /// How many payloads of each format are beyond the system's library: it can neither open nor refuse them.
  ///
  /// CryptoKit has no XSalsa20, and CommonCrypto no PBKDF2 with MD5.
  private static var beyond: [String: Int] {
    var counts: [String: Int] = [:]
    if !SealedBox.isAvailable { counts[SodiumSealedBox.name] = 15 }
    if !XSalsa20Poly1305.isAvailable { (counts[Zulip.name], counts[HomeAssistant.name]) = (14, 19) }
    if !PBKDF2.isAvailable(with: .md5) { counts[OpenSSLSalted.name] = 1 }
    return counts
  }

  /// Whether the system's library lacks what the vector's keys need, so that there is no format: PBKDF2 with MD5.
  private static func isBeyond(_ vector: JSONObject) -> Bool {
    let parameters = vector["parameters"]?.object
    return !PBKDF2.isAvailable(with: .md5) && parameters?["digest"] == "md5"
      && parameters?["iterations"] != nil
  }

  @Test func everyPayloadLooksLikeItsFormats() throws {
    for vector in try vectors() {
      let names = FormatOpener.names(recognizing: try folder.object(vector["payload"]))
      #expect(vector["recognized"]?.array?.compactMap(\.string) == names, "\(vector["id"]?.string ?? "")")
    }
  }

  /// What opens, and does not look like it.
  private static let unrecognized = ["bark-ephemeral", "openssl-salted-white-space"]

  @Test func whatOpensIsRecognizedByItsValue() throws {
    for vector in try vectors() where vector["expect"] == "opened" && !Self.isBeyond(vector) {
      let format = try #require(try format(of: vector))
      let id = vector["id"]?.string ?? ""
      let isRecognized = format.recognizes(try folder.object(vector["payload"]))
      #expect(isRecognized == !Self.unrecognized.contains(id), "\(id)")
    }
  }

  @Test func everyFormatHasEveryReasonThatItCanGive() throws {
    let codes = try Dictionary(grouping: vectors(), by: { $0["format"]?.string ?? "" })
      .mapValues { Set($0.compactMap { $0["expect"]?.string }) }
    let usual: Set = ["opened", "absent", "malformed", "too-large", "not-authentic", "refused"]
    #expect(Set(codes.keys) == Set(FormatOpener.names))
    for (name, codes) in codes {
      let numbered = ["zulip", "home-assistant"].contains(name) ? usual.union(["wrong-key"]) : usual
      #expect(codes == numbered, "\(name)")
    }
  }
}
