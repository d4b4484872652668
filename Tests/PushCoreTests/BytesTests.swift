import Foundation
import PushCore
import Testing

@Suite("Bytes of Foundation's Data")
struct BytesTests {
  private let data = Data(#"{"aps":{"alert":"Noon?"}}"#.utf8)

  @Test("are parsed like an array")
  func parsed() throws {
    #expect(try JSONObject(parsing: data) == ["aps": ["alert": "Noon?"]])
    #expect(try JSONValue(parsing: data) == ["aps": ["alert": "Noon?"]])
    #expect(try RemoteNotification(parsing: data).alert?.body == "Noon?")
  }

  @Test("are a device token, as the system gives it")
  func token() throws {
    #expect(DeviceToken(Data([0xab, 0x01]))?.text == "ab01")
    #expect(DeviceToken(Data()) == nil && DeviceToken(Data(count: 257)) == nil)
  }

  @Test("are encoded like an array")
  func encoded() { #expect(Base64URL.encode(Data([0xfb, 0xff])) == "-_8") }
}
