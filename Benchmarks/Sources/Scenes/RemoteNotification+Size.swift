import PushCore

extension RemoteNotification {
  /// A chat message as an app sends it, its body as long as it takes for JSON of `size` bytes.
  init(ofSize size: Int) throws {
    self.init(title: "Ada Lovelace", subtitle: "Lunch", body: "")
    sound = .default
    badge = 3
    threadID = "chat-42"
    category = "message"
    custom = ["chat": 42, "message": "1f0c8a52", "mentions": ["ada", "grace"], "muted": false]
    let text = "Shall we meet at noon, at the café by the river? I bring the drawings of the engine. "
    let rest = size - (try payload().encoded().count)
    // ASCII counts one byte a character, "é" two.
    var body = ""
    for character in String(repeating: text, count: size / text.utf8.count + 1) {
      guard body.utf8.count + character.utf8.count <= rest else { break }
      body.append(character)
    }
    body += String(repeating: ".", count: max(0, rest - body.utf8.count))
    alert?.body = body
    guard try payload().encoded().count == size else { throw SceneError.doesNotFit }
  }
}
