import PushCore
import PushKeys
import PushReceiver
import TestSupport

/// The file of what FCM carries: messages, and the devices that get them.
struct FCMFile {
  /// The keys of keys.json.
  let keys: VectorKeys

  init(_ keys: VectorKeys) { self.keys = keys }

  func text() async throws -> String {
    let receiver = VectorReceiver(keys: keys.device, senders: try keys.sender.publicKeys)
    let (messages, pairs, publicKeys) = (FCMMessages(keys: keys), try SigningPairs(), try PublicKeys())
    var (opened, degraded): ([String], [String]) = ([], [])
    for vector in try messages.opened() {
      var setting = Setting()
      (setting.topic, setting.now, setting.accounts) = (vector.forge.topic, vector.now, vector.accounts)
      let reception = try await receiver.reception(of: vector.payload, setting)
      opened.append(vector.json(shown: reception.content).text)
    }
    for vector in try messages.degraded() {
      let reception = try await receiver.reception(of: vector.payload, vector.setting)
      degraded.append(vector.json(shown: reception.content).text)
    }
    let devices = FCMDevices(pairs: pairs, keys: publicKeys)
    return VectorFiles.file(member: [
      "\"roots\":" + pairs.roots.text, "\"keys\":" + pairs.file.text,
      VectorFiles.list("opened", opened), VectorFiles.list("degraded", degraded),
      VectorFiles.list("data", try messages.data().map(\.json.text)),
      VectorFiles.list("senders", try devices.senders().map(\.json.text)),
      VectorFiles.list("enrolments", try devices.enrolments().map(\.json.text)),
      VectorFiles.list("registrations", try devices.registrations().map(\.json.text)),
    ])
  }
}
