import PushCore
import Testing

struct TopicTests {
  @Test(
    "a bundle ID is a topic",
    arguments: [
      "a", "com.example.app", "com.Example-1.App", "voip", "com.example.voipapp", "com.example.voip.app",
    ])
  func accepted(text: String) throws {
    #expect(try Topic(text).text == text)
  }

  @Test("it has 1 to 255 bytes")
  func length() throws {
    #expect(try Topic(String(repeating: "a", count: 255)).text.count == 255)
    let error = ValueError("topic", is: "a bundle ID of 1 to 255 characters")
    #expect(throws: error) { try Topic(String(repeating: "a", count: 256)) }
    #expect(throws: error) { try Topic("") }
  }

  @Test(
    "it has only characters of bundle IDs",
    arguments: [
      "com.example app", "com.exämple", "com.example\n", "com/example", "com.example\0",
      "*", "com.example.ａ", " com.example",
    ])
  func characters(text: String) {
    let bad = text.utf8.prefix { Array("abcdefghijklmnopqrstuvwxyz.".utf8).contains($0) }.count
    #expect(throws: ValueError("topic", is: Self.rule, notAt: bad)) { try Topic(text) }
  }

  private static let rule =
    "a bundle ID (letters, digits, hyphens and periods) or an application ID (underscores for hyphens)"

  @Test("an application ID has underscores, a bundle ID hyphens, and no topic both")
  func services() throws {
    let texts = ["com.example.app", "com.example.my-app", "com.example.my_app"]
    let topics = try texts.map { try Topic($0) }
    #expect(topics.map { $0.isOf(.apns) } == [true, true, false])
    #expect(topics.map { $0.isOf(.fcm) } == [true, false, true])
    #expect(throws: ValueError("topic", is: Self.rule)) { try Topic("com.example.my_app-2") }
  }

  @Test(
    "it has none of APNs' suffixes",
    arguments: [
      ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
      ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls",
    ])
  func suffixes(suffix: String) {
    let error = ValueError("topic", is: "the bundle ID alone, without a suffix such as .voip")
    #expect(throws: error) { try Topic("com.example.app" + suffix) }
  }
}
