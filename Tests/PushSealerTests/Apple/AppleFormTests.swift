import PushCore
import PushSealer
import Testing

/// "Generating a remote notification": the payload's size and its custom keys; and "Pushing background updates to your
/// app".
struct AppleFormTests {
  @Test(
    "the payload has an aps dictionary",
    arguments: [
      ApplePayload("one or more of Apple's keys; of none nothing", #"{"aps":{}}"#, .allowed),
      ApplePayload("it is required", #"{"acme":1}"#, .wrong("!aps missing"), leaks: "acme"),
      ApplePayload("even in an empty payload", "{}", .wrong("!aps missing")),
      ApplePayload("no array", #"{"aps":[1]}"#, .wrong("!aps must-be-object"), leaks: "aps"),
      ApplePayload("no string", #"{"aps":"a"}"#, .wrong("!aps must-be-object"), leaks: "aps"),
    ])
  func aps(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "custom keys are beside aps: dictionaries, arrays, strings, numbers and booleans",
    arguments: [
      ApplePayload("a string", #"{"aps":{},"gameID":"12345678"}"#, .allowed, leaks: "gameID"),
      ApplePayload("a number", #"{"aps":{},"acme2":42}"#, .allowed, leaks: "acme2"),
      ApplePayload("a boolean", #"{"aps":{},"acme":false}"#, .allowed, leaks: "acme"),
      ApplePayload("an array", #"{"aps":{},"acme2":["bang",5,[8]]}"#, .allowed, leaks: "acme2"),
      ApplePayload("a dictionary", #"{"aps":{},"acme":{"a":{"b":0.1}}}"#, .allowed, leaks: "acme"),
      ApplePayload("no null", #"{"aps":{},"acme":null}"#, .wrong("acme null-dropped"), leaks: "acme"),
      ApplePayload(
        "no null in an array", #"{"aps":{},"acme":{"list":[1,2,null]}}"#, .wrong("acme.list[2] null-dropped"),
        leaks: "acme"),
      ApplePayload(
        "nothing of large numbers", #"{"aps":{},"acme":18446744073709551615}"#,
        .unsaid("acme number-as-text"), leaks: "acme"),
      ApplePayload(
        "nothing of numbers that no double holds", #"{"aps":{},"acme":[1e400]}"#,
        .unsaid("acme[0] number-as-text"), leaks: "acme"),
      ApplePayload(
        "nothing of numbers that a double rounds", #"{"aps":{},"acme":9007199254740993.0}"#,
        .unsaid("acme number-rounded"), leaks: "acme"),
      ApplePayload(
        "Apple's keys belong in aps", #"{"aps":{},"badge":3}"#, .ignored("badge misplaced-key"),
        leaks: "badge"),
      ApplePayload(
        "Apple's keys belong in aps", #"{"aps":{"badge":1},"thread-id":"t"}"#,
        .ignored("thread-id misplaced-key"), leaks: "aps.badge thread-id"),
    ])
  func customKeys(payload: ApplePayload) throws { try payload.check() }

  @Test("nothing of the depth; 32 levels are what receivers read")
  func depth() throws {
    func object(_ levels: Int) -> JSONObject {
      var value: JSONValue = 1
      for _ in 1..<levels { value = ["a": value] }
      return ["aps": [:], "acme": value]
    }
    #expect(Lint(object(32)).findings.filter(\.isFault).isEmpty)
    #expect(Lint(object(33)).findings.filter(\.isFault).map(\.line) == ["!custom too-deep"])
  }

  @Test(
    "at most 4096 bytes, and 5120 of VoIP", arguments: [(nil, 4096), (.voip, 5120)] as [(PushType?, Int)])
  func size(type: PushType?, limit: Int) throws {
    for size in [limit, limit + 1] {
      let text = String(repeating: "a", count: size - #"{"aps":{"alert":""}}"#.utf8.count)
      let payload: JSONObject = ["aps": ["alert": .string(text)]]
      #expect(payload.encoded().count == size)
      let faults = Lint(payload, pushType: type).findings.filter(\.isFault).map(\.line)
      #expect(faults == (size > limit ? ["!payload too-large"] : []))
    }
  }

  @Test(
    "a background update has content-available, and nothing that the person notices",
    arguments: [
      ApplePayload(
        "custom keys may be there", #"{"aps":{"content-available":1},"acme1":"bar","acme2":42}"#, .allowed,
        leaks: "acme1 acme2"),
      .aps(
        "no alert", #""content-available":1,"alert":"a""#, .wrong("!aps.alert not-beside-content-available"),
        leaks: "aps.alert"),
      .aps(
        "not even one with a title alone", #""content-available":1,"alert":{"title":"T"}"#,
        .wrong("!aps.alert not-beside-content-available")),
      .aps(
        "no badge", #""content-available":1,"badge":0"#, .wrong("!aps.badge not-beside-content-available"),
        leaks: "aps.badge"),
      .aps(
        "no sound", #""content-available":1,"sound":"default""#,
        .wrong("!aps.sound not-beside-content-available")),
      .aps(
        "nothing of a category", #""content-available":1,"category":"C""#, .allowed, leaks: "aps.category"),
      .aps(
        "the extension does not run", #""content-available":1,"mutable-content":1"#,
        .ignored("aps.mutable-content extension-not-run")),
    ])
  func background(payload: ApplePayload) throws { try payload.check() }
}
