public import PushCore

/// What a token is for, beside the app's device token, to which alerts and background pushes go.
public enum TokenUse: Hashable, Sendable {
  /// Calls: PushKit's token of the type `voIP`.
  case voip
  /// Watch complications: PushKit's token of the type `complication`.
  case complication
  /// The push-to-talk channel that the device has joined.
  case pushToTalk
  /// Starting Live Activities whose attributes have this type's name (`pushToStartToken`).
  case activityStart(attributes: String)
  /// The Live Activity that the application knows by this name (`pushToken`).
  case activity(named: String)

  /// The longest name, in bytes.
  public static let maximumNameSize = 128

  /// The type of the pushes that go to the token.
  public var pushType: PushType {
    switch self {
    case .voip: .voip
    case .complication: .complication
    case .pushToTalk: .pushToTalk
    case .activityStart, .activity: .liveActivity
    }
  }

  /// Whether a text can be a name: 1 to 128 bytes of UTF-8 without control characters.
  public static func isName(_ text: String) -> Bool {
    (1...maximumNameSize).contains(text.utf8.count) && Registration.isName(text)
  }

  /// Makes a use from the texts by which it is stored; nil if there is none.
  package init?(word: String, name: String) {
    switch (word, name) {
    case ("voip", ""): self = .voip
    case ("complication", ""): self = .complication
    case ("pushtotalk", ""): self = .pushToTalk
    case ("start", let name) where Self.isName(name): self = .activityStart(attributes: name)
    case ("activity", let name) where Self.isName(name): self = .activity(named: name)
    default: return nil
    }
  }

  /// The word by which it is stored, and its name, empty without one.
  package var texts: (word: String, name: String) {
    switch self {
    case .voip: ("voip", "")
    case .complication: ("complication", "")
    case .pushToTalk: ("pushtotalk", "")
    case .activityStart(let name): ("start", name)
    case .activity(let name): ("activity", name)
    }
  }

  /// Whether both are the same use, with the same bytes in their names.
  public static func == (left: TokenUse, right: TokenUse) -> Bool {
    let (left, right) = (left.texts, right.texts)
    return left.word == right.word && left.name.utf8.elementsEqual(right.name.utf8)
  }

  /// Hashes the word and the bytes of the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(texts.word)
    for byte in texts.name.utf8 { hasher.combine(byte) }
  }
}
