import PushCore
import PushSealer
import PushTesting
import Testing

/// Whatever is added to a sealed push is reported, wherever it is.
struct LintPropertyTests {
  private static let content =
    #"{"aps":{"timestamp":1700000000,"event":"start","content-state":{"score":[3,1]},"stale-date":1700000600,"#
    + #""dismissal-date":1700000900,"relevance-score":0.5,"attributes-type":"Match","attributes":{"home":"Ada"},"#
    + #""input-push-token":1,"input-push-channel":"c","badge":3,"sound":"bell.caf","thread-id":"t","category":"C","#
    + #""alert":{"title":"Goal","subtitle":"s","body":"3:1","loc-key":"K","sound":"bell.caf"}},"secret":1}"#

  private func sealed(_ type: PushType) throws -> JSONObject {
    try Backend().sealer(policy: SealingPolicy(pushType: type))
      .seal(json: Self.content, to: Device(.x25519ChaChaPoly)).json
  }

  /// Where an object is in a payload.
  private static func objects(in object: JSONObject, at path: [String] = []) -> [[String]] {
    [path] + object.flatMap { key, value in value.object.map { objects(in: $0, at: path + [key]) } ?? [] }
  }

  /// Where a value is that is no object; the envelope is none of them.
  private static func leaves(of object: JSONObject, at path: [String] = []) -> [[String]] {
    object.flatMap { key, value in
      value.object.map { leaves(of: $0, at: path + [key]) } ?? (key == "ENCRYPTED_DATA" ? [] : [path + [key]])
    }
  }

  @Test("a sealed push has nothing to report", arguments: PushType.allCases)
  func sealedPush(type: PushType) throws {
    let payload = try sealed(type)
    #expect(Lint(payload, pushType: type).findings == [])
    #expect(Lint(payload).findings == [])
  }

  @Test("any member, of any object, is reported by its path", arguments: PushType.allCases)
  func addedMembers(type: PushType) throws {
    let payload = try sealed(type)
    var random = SeededGenerator(seed: UInt64(PushType.allCases.firstIndex(of: type) ?? 0))
    let places = Self.objects(in: payload)
    for _ in 0..<400 {
      guard let place = places.randomElement(using: &random) else { continue }
      let path = place + [random.key()]
      guard payload[path] == nil else { continue }
      let value = random.value(depth: 2)
      var changed = payload
      changed[path] = value
      let name = path.joined(separator: ".")
      let keys = Lint(changed, pushType: type).findings.map(\.key)
      #expect(keys.contains { $0 == name }, "\(name): \(value)")
      // Without its type, a push that shows nothing may be one that wakes the app.
      if [.alert, .background, .liveActivity].contains(type) {
        #expect(!Lint(changed).findings.isEmpty, "\(name): \(value)")
      }
    }
  }

  @Test("any value of another kind is reported", arguments: PushType.allCases)
  func otherValues(type: PushType) throws {
    let payload = try sealed(type)
    var random = SeededGenerator(seed: 1)
    for path in Self.leaves(of: payload) {
      for _ in 0..<40 {
        let value = random.value(depth: 2)
        // A title may be any text, a number may be another one of its kind, and `default` a sound or a name.
        if path.last == "title" && value.string != nil || value.number != nil || value == "default" {
          continue
        }
        var changed = payload
        changed[path] = value
        #expect(
          Lint(changed, pushType: type).findings.contains { $0.key == path.joined(separator: ".") },
          "\(path): \(value)")
      }
    }
  }

  @Test("a sound's object is reported, whatever is in it")
  func sounds() throws {
    var random = SeededGenerator(seed: 2)
    for (type, path) in [(PushType.alert, ["aps", "sound"]), (.liveActivity, ["aps", "alert", "sound"])] {
      var payload = try sealed(type)
      for _ in 0..<40 {
        payload[path] = .object(["name": "default", random.key(): random.value(depth: 1)])
        #expect(Lint(payload).findings.contains { $0.key == path.joined(separator: ".") })
      }
    }
  }
}

extension JSONObject {
  /// The value at a path; setting it makes no objects on the way.
  fileprivate subscript(path: [String]) -> JSONValue? {
    get { path.count > 1 ? self[path[0]]?.object?[Array(path.dropFirst())] : self[path[0]] }
    set {
      guard path.count > 1 else { return self[path[0]] = newValue }
      guard var inner = self[path[0]]?.object else { return }
      inner[Array(path.dropFirst())] = newValue
      self[path[0]] = .object(inner)
    }
  }
}

extension SeededGenerator {
  private static let keys = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "timestamp", "event",
    "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes", "input-push-token",
    "input-push-channel", "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args",
    "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "critical", "name",
    "volume", "ENCRYPTED_DATA", "sealed-push", "aps", "secret", "", "é",
  ]

  /// A key of Apple's, of the format, or of nobody.
  fileprivate mutating func key() -> String {
    Bool.random(using: &self) ? Self.keys.randomElement(using: &self) ?? "" : "k\(next() % 1000)"
  }

  /// Any JSON value.
  fileprivate mutating func value(depth: Int) -> JSONValue {
    switch UInt64.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: .null
    case 1: .boolean(next() % 2 == 0)
    case 2: .number(JSONNumber(Int64.random(in: .min ... .max, using: &self)))
    case 3: 1
    case 4: .string("Ada is \(next() % 100)")
    case 5: "default"
    case 6: .array((0..<next() % 3).map { _ in value(depth: depth - 1) })
    default: .object([key(): value(depth: depth - 1), key(): value(depth: depth - 1)])
    }
  }
}
