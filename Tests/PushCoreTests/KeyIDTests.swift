import PushCore
import Testing

struct KeyIDTests {
  @Test("a key's name is read as it is written")
  func roundTrip() throws {
    let thumbprint = try #require(Thumbprint((0..<32).map { UInt8($0) }))
    #expect(try KeyID(thumbprint.keyID.text) == thumbprint.keyID)
  }

  @Test(
    "nothing else is a key's name",
    arguments: ["", "AAECAwQFBg", "AAECAwQFBgc=", "AAECAwQFBgd", "AAECAwQFBgcI"])
  func refused(text: String) { #expect(throws: ValueError.self) { try KeyID(text) } }
}
