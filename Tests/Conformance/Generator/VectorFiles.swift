import PushCore
import PushKeys
import PushReceiver

/// The files of Vectors/, made anew.
struct VectorFiles {
  let keys: VectorKeys
  let receiver: VectorReceiver

  init() throws {
    keys = try VectorKeys()
    receiver = VectorReceiver(keys: keys.device, senders: try keys.sender.publicKeys)
  }

  /// Names and contents, but for `xwing.json`, which needs a system that has its suite.
  func all() async throws -> [(name: String, text: String)] {
    [
      ("keys.json", keysText), ("opened.json", try await opened()), ("degraded.json", try await degraded()),
      ("data.json", try data()), ("push-types.json", try pushTypes()),
      ("attachments.json", try attachments()), ("shared.json", try await SharedFile(keys).text()),
      ("signed.json", try SignedFile(device: keys).text()), ("edges.json", try await EdgeFile(keys).text()),
      (
        "formats.json",
        Self.file(member: [Self.list("vectors", try FormatVectors().all().map { try $0.json().text })])
      ), ("accounts.json", try await accounts()), ("fcm.json", try await FCMFile(keys).text()),
      ("memory.json", try memory()),
      ("callers.json", try await callers()),
      (
        "sets.json",
        Self.file(member: [Self.list("sets", SetVectors(keys: try PublicKeys()).all().map(\.json.text))])
      ),
    ]
  }

  /// `xwing.json`.
  func xwing() async throws -> String { try await XWingFile(keys).text() }

  private var keysText: String {
    let object: JSONObject = ["device": .object(keys.deviceFile), "sender": .object(keys.senderFile)]
    return Self.file(
      member: object.map { "\"\($0.key)\":" + String(decoding: $0.value.encoded(), as: UTF8.self) })
  }

  private func opened() async throws -> String {
    var lines: [String] = []
    for vector in try OpenedVectors(keys: keys).all() {
      var setting = Setting()
      setting.now = vector.now
      let reception = try await receiver.reception(of: vector.payload, setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return Self.file(member: [Self.list("vectors", lines)])
  }

  private func degraded() async throws -> String {
    var lines: [String] = []
    for vector in try DegradedVectors(keys: keys).all() {
      let reception = try await receiver.reception(of: vector.payload, vector.setting)
      lines.append(vector.json(shown: reception.content).text)
    }
    return Self.file(member: [Self.list("vectors", lines)])
  }

  private func data() throws -> String {
    Self.file(member: [Self.list("vectors", try DataVectors(keys: keys).all().map(\.json.text))])
  }

  private func pushTypes() throws -> String {
    let vectors = try PushTypeVectors(keys: keys).all() + LiveActivityVectors(keys: keys).all()
    return Self.file(member: [Self.list("vectors", vectors.map(\.json.text))])
  }

  private func attachments() throws -> String {
    Self.file(member: [
      Self.list("members", try MemberVectors().all().map(\.json.text)),
      Self.list("descriptors", try DescriptorVectors().all().map(\.json.text)),
      Self.list("addresses", AddressVectors().all().map(\.json.text)),
      Self.list("blobs", try BlobVectors().all().map(\.json.text)),
    ])
  }

  private func accounts() async throws -> String {
    let vectors = try AccountVectors(keys: keys)
    var (opened, degraded): ([String], [String]) = ([], [])
    for vector in try vectors.opened() {
      var setting = Setting()
      setting.accounts = vector.accounts
      let reception = try await receiver.reception(of: vector.payload, setting)
      opened.append(vector.json(shown: reception.content).text)
    }
    for vector in try vectors.degraded() {
      let reception = try await receiver.reception(of: vector.payload, vector.setting)
      degraded.append(vector.json(shown: reception.content).text)
    }
    return Self.file(member: [
      Self.list("tags", try vectors.tags().map(\.json.text)), Self.list("opened", opened),
      Self.list("degraded", degraded), Self.list("data", try vectors.data().map(\.json.text)),
    ])
  }

  private func memory() throws -> String {
    Self.file(member: [
      Self.list("vectors", try MemoryVectors(keys: keys).all().map { try $0.json().text })
    ])
  }

  private func callers() async throws -> String {
    var lines: [String] = []
    for vector in try CallerVectors(keys: keys).all() {
      let reception = try await receiver.reception(of: vector.message.payload, Setting())
      lines.append(vector.json(shown: reception.content).text)
    }
    return Self.file(member: [Self.list("vectors", lines)])
  }

  static func list(_ name: String, _ lines: [String]) -> String {
    "\"\(name)\":[\n" + lines.joined(separator: ",\n") + "\n]"
  }

  static func file(member lines: [String]) -> String {
    "{\"format\":\"sealed-push v1\",\n" + lines.joined(separator: ",\n") + "}\n"
  }
}
