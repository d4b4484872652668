import PushCrypto
import Testing

/// SHA-256 in pieces gives the same digest as SHA-256 of the whole.
struct IncrementalSHA256Tests {
  @Test(arguments: [0, 1, 63, 64, 65, 1000]) func `pieces make the digest of the whole`(size: Int) throws {
    let message = [UInt8](repeating: 0x5a, count: 1000)
    let digest = try IncrementalSHA256()
    digest.update(Span())
    digest.update(message.span.extracting(first: size))
    digest.update(message.span.extracting(droppingFirst: size))
    #expect(digest.finish() == SHA256.digest(message.span))
  }

  /// FIPS 180-4's example, and the empty message.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ]) func `FIPS 180-4`(message: String, digest: String) throws {
    let computed = try IncrementalSHA256()
    computed.update([UInt8](message.utf8).span)
    #expect(computed.finish() == bytes(digest))
  }
}
