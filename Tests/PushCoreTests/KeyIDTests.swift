import PushCore
import Testing

struct KeyIDTests {
  @Test("a key ID's text is read back")
  func roundTrip() throws {
    let thumbprint = try #require(Thumbprint((0..<32).map { UInt8($0) }))
    #expect(try KeyID(thumbprint.keyID.text) == thumbprint.keyID)
  }

  @Test(
    "no other text is a key ID",
    arguments: ["", "AAECAwQFBg", "AAECAwQFBgc=", "AAECAwQFBgd", "AAECAwQFBgcI"])
  func refused(text: String) { #expect(throws: ValueError.self) { try KeyID(text) } }
}
