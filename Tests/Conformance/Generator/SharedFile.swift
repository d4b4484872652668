import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// The file of the suite `shared-chachapoly`: its keys, and what is sealed with them.
struct SharedFile {
  private let keys: VectorKeys
  private let receiver: VectorReceiver

  init(_ keys: VectorKeys) throws {
    self.keys = keys
    receiver = VectorReceiver(
      keys: CombinedKeyStore(keys.shared, keys.device), senders: try keys.sender.publicKeys)
  }

  func text() async throws -> String {
    let keySet = "\"keys\":" + String(decoding: keys.sharedFile.encoded(), as: UTF8.self)
    return VectorFiles.file(member: [
      keySet, VectorFiles.list("thumbprints", try thumbprints()),
      VectorFiles.list("opened", try await opened()), VectorFiles.list("degraded", try await degraded()),
      VectorFiles.list("data", try vectors().data().map(\.json.text)),
    ])
  }

  private func vectors() throws -> SuiteVectors {
    SuiteVectors(
      recipient: try keys.shared.recipient(at: VectorKeys.made),
      retired: try keys.retiredShared.recipient(at: VectorKeys.made), sender: keys.sender)
  }

  private func opened() async throws -> [String] {
    var lines: [String] = []
    for vector in try vectors().opened() {
      var setting = Setting()
      setting.topic = vector.forge.topic
      setting.now = vector.now
      setting.suites = Setting.publicKeySuites + [.sharedChaChaPoly]
      let reception = try await receiver.reception(of: vector.payload, setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }

  private func degraded() async throws -> [String] {
    var lines: [String] = []
    for vector in try SharedFaults(keys: keys).all() {
      let reception = try await receiver.reception(of: vector.payload, vector.setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }

  /// Keys and their names; a key that is refused has none.
  private func thumbprints() throws -> [String] {
    let one = [UInt8](repeating: 0, count: 31) + [1]
    let cases: [(String, String, [UInt8])] = [
      ("counting", "the bytes from 0 to 31", Array(0..<32)),
      ("ones", "every bit is set", [UInt8](repeating: 0xff, count: 32)),
      ("one", "only the last bit is set", one),
      ("random", "bytes that look random", FixedRandomness.bytes(of: "thumbprint")),
      ("zeros", "no bit is set: refused", [UInt8](repeating: 0, count: 32)),
    ]
    return try cases.map { name, comment, key in
      let text = Base64URL.encode(key.span)
      let isRefused = key.allSatisfy { $0 == 0 }
      let kid = isRefused ? nil : try Self.kid(of: key)
      let object: JSONObject = [
        "id": .string("thumbprint-\(name)"), "comment": .string(comment), "k": .string(text),
        "kid": kid.map(JSONValue.string) ?? .null,
      ]
      return object.text
    }
  }

  /// The name that a new set gives its key.
  private static func kid(of key: [UInt8]) throws -> String {
    let set = KeySet(generating: .shared, at: VectorKeys.made, random: FixedRandomness(bytes: key))
    return try #require(set.records.first).id.text
  }
}
