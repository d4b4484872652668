import PushCore
import PushKeys
import Testing

@Suite("A device token")
struct DeviceTokenTests {
  @Test("its text has two lowercase digits a byte, and is read back")
  func text() throws {
    let bytes = Array(UInt8.min...UInt8.max)
    let token = try #require(DeviceToken(bytes))
    #expect(token.text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
    #expect(token.text.hasSuffix("f9fafbfcfdfeff"))
    #expect(token.text.utf8.count == 512)
    #expect(try DeviceToken(token.text) == token)
    #expect(try DeviceToken(token.text.uppercased()) == token)
  }

  /// Backends log addresses, errors with an address, optionals, arrays.
  @Test("it is not in its description, or in an address's")
  func mute() throws {
    let token = try DeviceToken("c0ffee5eed")
    let address = DeviceAddress(topic: try Topic("com.example.app"), environment: .sandbox, token: token)
    var text = "\(token) \(address) \([token]) \(String(describing: Optional(token)))"
    text += String(reflecting: token) + String(reflecting: address)
    dump(token, to: &text)
    dump(address, to: &text)
    #expect(text.contains("DeviceToken(5 bytes)") && text.contains("com.example.app"))
    // Neither as digits nor as an array of numbers.
    #expect(!text.contains("c0ffee") && !text.contains("192"))
  }
}
