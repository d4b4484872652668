import PushCrypto
import PushCore
import Testing

@testable import PushCompat
import PushReceiver

/// Web Push messages in `aes128gcm`.
struct WebPushTests {
  private let format = WebPush(keys: WebPushExample.keys, carriage: .base64URL)
  private let body = WebPushExample.body

  @Test(arguments: [WebPushCarriage.z85, .base64URL])
  func `the RFC's example opens, however it is carried`(carriage: WebPushCarriage) throws {
    let payload = carriage.members(of: body.span)
    #expect(WebPush.isRecognized(payload))
    let format = WebPush(keys: WebPushExample.keys, carriage: carriage)
    #expect(text(try format.open(payload)) == WebPushExample.text)
  }

  @Test func `the RFC's example is sealed byte for byte`() throws {
    let text = Array(WebPushExample.text.utf8)
    let random = ScriptedRandom(base64URL(WebPushExample.salt), base64URL(WebPushExample.senderKey))
    let sealed = try WebPush.seal(text.span, to: WebPushExample.subscription, padding: 0, random: random)
    #expect(sealed == body)
  }

  @Test func `a number that is no private key is drawn again`() throws {
    let text = Array(WebPushExample.text.utf8)
    let random = ScriptedRandom(
      base64URL(WebPushExample.salt), [UInt8](repeating: 0, count: 32),
      [UInt8](repeating: 0xff, count: 32), base64URL(WebPushExample.senderKey))
    let sealed = try WebPush.seal(text.span, to: WebPushExample.subscription, padding: 0, random: random)
    #expect(sealed == body)
  }

  @Test func `a source of zeros is given up`() {
    #expect(throws: EnvelopeFormatError.unavailable) {
      try WebPush.seal(Span(), to: WebPushExample.subscription, padding: 0, random: Zeros())
    }
  }

  @Test func `the receiver's public key follows from the private one`() {
    #expect(WebPushExample.keys.subscription.publicKey == base64URL(WebPushExample.receiverPublicKey))
  }

  @Test(arguments: [(0, 0), (0, 1), (1, 0), (41, 100), (3993, 0), (0, 3993), (3000, 993)])
  func `what is sealed opens, and takes 103 bytes more`(count: Int, padding: Int) throws {
    let plaintext = [UInt8](repeating: 0, count: count)  // zeros, as padding is
    let sealed = try WebPush.seal(plaintext.span, to: WebPushExample.subscription, padding: padding)
    #expect(sealed.count == count + padding + 103)
    #expect(try open(sealed) == plaintext)
  }

  @Test func `no body is larger than 4096 bytes`() {
    let plaintext = [UInt8](repeating: 1, count: 3994)
    #expect(throws: EnvelopeFormatError.tooLarge) {
      try WebPush.seal(plaintext.span, to: WebPushExample.subscription)
    }
    #expect(throws: EnvelopeFormatError.tooLarge) {
      try WebPush.seal(plaintext.span.extracting(0..<1), to: WebPushExample.subscription, padding: 3993)
    }
    #expect(throws: EnvelopeFormatError.tooLarge) {
      try WebPush.seal(plaintext.span.extracting(0..<1), to: WebPushExample.subscription, padding: .max)
    }
  }

  @Test func `two messages have nothing in common`() throws {
    let first = try WebPush.seal(Span(), to: WebPushExample.subscription)
    let second = try WebPush.seal(Span(), to: WebPushExample.subscription)
    #expect(first[..<16] != second[..<16])
    #expect(first[21..<86] != second[21..<86])
  }

  @Test func `a record as long as the size says, or one larger, is the only one`() throws {
    let record = WebPushExample.body.count - 86
    // The record size is no part of what is authenticated.
    #expect(text(try open(changingSize(record))) == WebPushExample.text)
    #expect(text(try open(changingSize(.max))) == WebPushExample.text)
    for size in [record - 1, 18, 17, 0] {
      expect(.malformed(member: "m"), from: format, opening: payload(changingSize(UInt32(size))))
    }
  }

  @Test func `a record size below 18 is refused although the record is as short`() throws {
    let sealed = try WebPush.seal(Span(), to: WebPushExample.subscription)
    expect(.malformed(member: "m"), from: format, opening: payload(changingSize(17, in: sealed)))
    #expect(try open(changingSize(18, in: sealed)) == [])
  }

  @Test func `a body cut anywhere does not open`() {
    for count in 0..<body.count {
      let error: EnvelopeFormatError = count < 103 ? .malformed(member: "m") : .notAuthentic
      expect(error, from: format, opening: payload(Array(body.prefix(count))))
    }
    expect(.notAuthentic, from: format, opening: payload(body + [0]))
  }

  @Test func `any bit that flips is noticed, but for the record size`() {
    for bit in 0..<8 * body.count where !(16..<20).contains(bit / 8) {
      var flipped = body
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: EnvelopeFormatError.self) { try open(flipped) }
    }
  }

  @Test(arguments: [0, 1, 64, 66, 255]) func `a sender's key of another length is malformed`(count: Int) {
    let key = body[21..<86] + [UInt8](repeating: 4, count: 190)
    var other = Array(body[..<20])
    other.append(UInt8(count))
    other += key.prefix(count)
    other += body[86...]
    expect(.malformed(member: "m"), from: format, opening: payload(other))
  }

  @Test func `two records are one too many`() throws {
    let first = try seal(record: [65, 1])
    let both = first + first[86...]
    expect(.malformed(member: "m"), from: format, opening: payload(changingSize(18, in: both)))
    expect(.notAuthentic, from: format, opening: payload(changingSize(36, in: both)))
  }

  @Test func `a sender's key that is no point is malformed`() {
    var other = body
    other[85] ^= 1
    expect(.malformed(member: "m"), from: format, opening: payload(other))
  }

  @Test(
    arguments: [
      [], [0], [0, 0, 0], [1], [65, 1], [65, 1, 0], [65], [65, 2, 3], [65, 2, 0, 3],
    ] as [[UInt8]])
  func `an authentic record without a last record's delimiter is malformed`(record: [UInt8]) throws {
    expect(.malformed(member: "m"), from: format, opening: payload(try seal(record: record)))
  }

  @Test func `the last delimiter counts`() throws {
    #expect(try open(try seal(record: [65, 2, 2, 0])) == [65, 2])
  }

  @Test func `keys of another subscription open nothing`() {
    let otherKey = WebPushKeys(
      privateKey: base64URL(WebPushExample.senderKey).span,
      authenticationSecret: base64URL(WebPushExample.secret).span)!
    let otherSecret = WebPushKeys(
      privateKey: base64URL(WebPushExample.receiverKey).span,
      authenticationSecret: [UInt8](repeating: 1, count: 16).span)!
    for keys in [otherKey, otherSecret] {
      expect(
        .notAuthentic, from: WebPush(keys: keys, carriage: .base64URL), opening: payload(body))
    }
  }

  private func payload(_ body: [UInt8]) -> JSONObject { WebPushCarriage.base64URL.members(of: body.span) }

  private func open(_ body: [UInt8]) throws -> [UInt8] { try format.open(payload(body)) }

  private func changingSize(_ size: some FixedWidthInteger, in body: [UInt8]? = nil) -> [UInt8] {
    var body = body ?? self.body
    body.replaceSubrange(16..<20, with: [UInt8](bigEndian: UInt32(truncatingIfNeeded: size), count: 4))
    return body
  }

  private func changingSize(_ size: UInt32) -> [UInt8] { changingSize(size, in: nil) }

  /// A body with a record as given, by the example's sender.
  private func seal(record: [UInt8]) throws -> [UInt8] {
    let salt = base64URL(WebPushExample.salt)
    let sender = base64URL(WebPushExample.senderPublicKey)
    let subscription = WebPushExample.subscription
    let ecdh = try P256.sharedSecret(
      privateKey: base64URL(WebPushExample.senderKey).span,
      publicKey: subscription.publicKey.span)
    let cipher = WebPushCipher(
      coding: .aes128gcm, ecdh: ecdh.exposedBytes, subscription: subscription, sender: sender.span,
      salt: salt.span)
    return try WebPushBody.header(salt: salt, publicKey: sender) + cipher.seal(record.span)
  }
}

/// A source that has nothing.
private struct Zeros: RandomSource {
  func fill(_ bytes: inout MutableSpan<UInt8>) {
    for index in bytes.indices { bytes[index] = 0 }
  }
}
