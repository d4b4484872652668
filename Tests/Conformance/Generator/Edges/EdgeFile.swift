import PushCore
import PushKeys
import PushReceiver

/// The file of contents, lives and orders at the edges of the rules, with the keys that it takes.
struct EdgeFile {
  private let keys: VectorKeys
  private let edgeKeys: EdgeKeys
  private let receiver: VectorReceiver

  init(_ keys: VectorKeys) throws {
    self.keys = keys
    edgeKeys = try EdgeKeys(keys)
    receiver = VectorReceiver(keys: edgeKeys.device, senders: edgeKeys.senders)
  }

  func text() async throws -> String {
    VectorFiles.file(member: [
      "\"keys\":" + edgeKeys.json.text, VectorFiles.list("opened", try await opened()),
      VectorFiles.list("degraded", try await degraded()),
    ])
  }

  private func opened() async throws -> [String] {
    var lines: [String] = []
    for vector in try EdgeVectors(keys: keys, edgeKeys: edgeKeys).all() {
      var setting = Setting()
      setting.now = vector.now
      setting.after = vector.after
      let reception = try await receiver.reception(of: vector.payload, setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }

  private func degraded() async throws -> [String] {
    var lines: [String] = []
    for vector in try EdgeFaults(keys: keys, edgeKeys: edgeKeys).all() {
      let reception = try await receiver.reception(of: vector.payload, vector.setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }
}
