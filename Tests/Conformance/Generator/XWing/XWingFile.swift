import PushCore
import PushKeys
import PushReceiver
import TestSupport

/// The file of the suite `xwing-aesgcm`: its keys, what is sealed to them, and sets and registrations that have such
/// keys.
///
/// It can be made only where the system's libraries have the suite.
struct XWingFile {
  private let keys: VectorKeys
  private let xwing: XWingKeys
  private let receiver: VectorReceiver

  init(_ keys: VectorKeys) throws {
    self.keys = keys
    xwing = try XWingKeys(keys)
    receiver = VectorReceiver(keys: xwing.device, senders: try keys.sender.publicKeys)
  }

  func text() async throws -> String {
    let vectors = XWingVectors(keys: xwing)
    let backend = XWingEnrolments(
      pairs: try SigningPairs(), keys: try PublicKeys(),
      xwing: try PublicKeys.make(.device, "device xwing", .xwingAESGCM))
    return VectorFiles.file(member: [
      "\"keys\":" + String(decoding: xwing.deviceFile.encoded(), as: UTF8.self),
      VectorFiles.list("sets", try XWingSets(xwing: xwing).all().map(\.json.text)),
      VectorFiles.list("opened", try await opened(try vectors.opened())),
      VectorFiles.list("degraded", try await degraded()),
      VectorFiles.list("data", try vectors.data().map(\.json.text)),
      VectorFiles.list("enrolments", try backend.enrolments().map(\.json.text)),
      VectorFiles.list("registrations", try backend.registrations().map(\.json.text)),
    ])
  }

  private func opened(_ vectors: [OpenedVector]) async throws -> [String] {
    var lines: [String] = []
    for vector in vectors {
      var setting = Setting()
      setting.topic = vector.forge.topic
      setting.now = vector.now
      setting.suites = XWingFaults.suites
      let reception = try await receiver.reception(of: vector.payload, setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }

  private func degraded() async throws -> [String] {
    var lines: [String] = []
    for vector in try XWingFaults(keys: xwing).all() {
      var setting = vector.setting
      // What is shown in place of a message does not depend on why.
      if !setting.lacks.isEmpty { setting.suites = [] }
      let reception = try await receiver.reception(of: vector.payload, setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return lines
  }
}
