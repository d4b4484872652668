import PushCore
import Testing

@Suite("A sound in both of its forms")
struct SoundTests {

  private func read(_ sound: String) throws -> RemoteNotification {
    try notification(#"{"aps":{"sound":\#(sound)}}"#)
  }

  @Test(
    "a sound that is read is written as it was",
    arguments: [
      (#""a.caf""#, .named("a.caf"), [:]), (#""default""#, .default, [:]), (#""""#, .named(""), [:]),
      (#"{"name":"a","critical":1}"#, .critical(name: "a"), [:]),
      (#"{"name":"a","critical":1,"volume":0.5}"#, .critical(name: "a", volume: 0.5), [:]),
      (#"{"name":"a","critical":1,"volume":0.0,"new":[]}"#, .critical(name: "a", volume: 0), ["new": []]),
      (#"{"name":"a","critical":0}"#, .named("a"), ["critical": 0]),
      (#"{"name":"a","critical":0,"volume":1}"#, .named("a"), ["critical": 0, "volume": 1]),
      (#"{"name":"a","volume":0.25}"#, .named("a"), ["volume": 0.25]),
    ] as [(String, Sound, JSONObject)])
  func roundTrip(json: String, sound: Sound, others: JSONObject) throws {
    let notification = try read(json)
    #expect(notification == RemoteNotification(sound: sound, otherSound: others))
    let written = try notification.payload().encoded()
    #expect(String(decoding: written, as: UTF8.self) == #"{"aps":{"sound":\#(json)}}"#)
  }

  @Test("an object with only a name equals the string")
  func nameAlone() throws {
    #expect(try read(#"{"name":"a"}"#) == RemoteNotification(sound: .named("a")))
  }

  @Test(
    "a sound object is checked",
    arguments: [
      ("{}", "aps.sound.name", .missing), (#"{"critical":1}"#, "aps.sound.name", .missing),
      (#"{"name":null}"#, "aps.sound.name", .mustBeString), (#"{"name":1}"#, "aps.sound.name", .mustBeString),
      (#"{"name":"\u0000"}"#, "aps.sound.name", .containsNUL),
      (#"{"name":"a","critical":true}"#, "aps.sound.critical", .mustBe0Or1),
      (#"{"name":"a","critical":"1"}"#, "aps.sound.critical", .mustBe0Or1),
      (#"{"name":"a","critical":1.0}"#, "aps.sound.critical", .mustBe0Or1),
      (#"{"name":"a","critical":2}"#, "aps.sound.critical", .mustBe0Or1),
      (#"{"name":"a","critical":null}"#, "aps.sound.critical", .mustBe0Or1),
      (#"{"name":"a","critical":1,"volume":1.5}"#, "aps.sound.volume", .mustBeFrom0To1),
      (#"{"name":"a","critical":1,"volume":true}"#, "aps.sound.volume", .mustBeNumber),
      (#"{"name":"a","volume":-1}"#, "aps.sound.volume", .mustBeFrom0To1),
    ] as [(String, String, PayloadRule)])
  func refusedObjects(json: String, key: String, rule: PayloadRule) {
    #expect(throws: PayloadError.invalid(key: key, rule: rule)) { try read(json) }
  }

  @Test("a sound made in code is checked too")
  func refusedValues() {
    let refused: [(Sound, JSONObject, String, PayloadRule)] = [
      (.critical(name: "a", volume: 1.01), [:], "aps.sound.volume", .mustBeFrom0To1),
      (.critical(name: "a", volume: .nan), [:], "aps.sound.volume", .mustBeFrom0To1),
      (.critical(name: "a\0"), [:], "aps.sound", .containsNUL),
      (.named("a"), ["name": "b"], "aps.sound.name", .reservedKey),
      (.named("a"), ["critical": 1], "aps.sound.critical", .reservedKey),
      (.named("a"), ["volume": 3], "aps.sound.volume", .mustBeFrom0To1),
      (.critical(name: "a"), ["critical": 0], "aps.sound.critical", .reservedKey),
      (.critical(name: "a"), ["volume": 0.1], "aps.sound.volume", .reservedKey),
    ]
    for (sound, others, key, rule) in refused {
      #expect(throws: PayloadError.invalid(key: key, rule: rule)) {
        try RemoteNotification(sound: sound, otherSound: others).payload()
      }
    }
  }

  @Test("without a sound, its other members are not written")
  func silence() throws {
    var notification = try read(#"{"name":"a","critical":0}"#)
    notification.sound = nil
    #expect(try notification.payload() == ["aps": [:]])
  }

  @Test("either form has a name")
  func names() {
    #expect(Sound.named("a").name == "a")
    #expect(Sound.critical(name: "b", volume: 1).name == "b")
  }
}
