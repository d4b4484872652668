import Foundation
import PushCore
import PushKeys
import PushStandIn

/// An app with a team, a key and a sender of its own.
struct StormApp {
  let topic: Topic
  let key: ProviderKey
  let senders: KeySet

  /// The key that APNs must see for the app's topics, and for no other app's.
  var shownKey: ShownKey { ShownKey(keyID: key.keyID, topic: topic) }

  /// Makes the keys, and writes the private ones into a folder.
  private init(_ topic: String, keyID: String, teamID: String, in folder: String) throws {
    self.topic = try Topic(topic)
    let team = ProviderKey.generate(keyID: keyID, teamID: teamID)
    key = team.key
    senders = KeySet(generating: .sender, at: .now)
    _ = try KeyFile(path: "\(folder)/\(topic).jwks").create(senders)
    Self.write(team.p8, to: "\(folder)/AuthKey_\(keyID).p8")
  }

  /// Makes two apps, and writes the file of their routes into the folder.
  static func two(in folder: String) throws -> [StormApp] {
    let apps = [
      try StormApp("com.example.shop", keyID: "ABCDE12345", teamID: "FGHIJ67890", in: folder),
      try StormApp("com.example.bank", keyID: "PQRST12345", teamID: "KLMNO67890", in: folder),
    ]
    let routes: JSONObject = ["routes": .array(apps.map { .object($0.route) })]
    write(routes.encoded(), to: Self.routes(in: folder))
    return apps
  }

  /// The file of the routes.
  static func routes(in folder: String) -> String { "\(folder)/routes.json" }

  private var route: JSONObject {
    [
      "team_id": .string(key.teamID), "key_file": .string("AuthKey_\(key.keyID).p8"),
      "sender": .string("\(topic.text).jwks"), "topics": [.string(topic.text)],
    ]
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
  }
}
