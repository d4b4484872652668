import Foundation
import PushCore
import PushKeys
import Testing

/// The folder Vectors/, as it is committed.
struct VectorFolder {
  func url(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Vectors").appending(path: name)
  }

  func receiver() throws -> VectorReceiver { try receiver(try file("keys.json")) }

  /// The opener of a file of vectors.
  func receiver(of name: String) throws -> VectorReceiver {
    switch name {
    case "shared.json": try sharedReceiver()
    case "edges.json": try receiver(try #require(try file(name)["keys"]?.object))
    case "xwing.json": try xwingReceiver()
    default: try receiver()
    }
  }

  private func receiver(_ keys: JSONObject) throws -> VectorReceiver {
    let device = try KeySet(parsing: try #require(keys["device"]?.object).encoded().span)
    let sender = try KeySet(parsing: try #require(keys["sender"]?.object).encoded().span)
    return VectorReceiver(keys: device, senders: try sender.publicKeys)
  }

  /// The opener of `shared.json`.
  func sharedReceiver() throws -> VectorReceiver {
    let receiver = try receiver()
    let shared = try KeySet(parsing: try #require(try file("shared.json")["keys"]?.object).encoded().span)
    return VectorReceiver(keys: CombinedKeyStore(shared, receiver.keys), senders: receiver.senders)
  }

  /// The opener of `xwing.json`.
  private func xwingReceiver() throws -> VectorReceiver {
    let device = try KeySet(parsing: try #require(try file("xwing.json")["keys"]?.object).encoded().span)
    return VectorReceiver(keys: device, senders: try receiver().senders)
  }

  /// The files that have vectors, and the names of their lists.
  static let lists = [
    "opened.json": ["vectors"], "degraded.json": ["vectors"], "data.json": ["vectors"],
    "push-types.json": ["vectors"],
    "attachments.json": ["members", "descriptors", "addresses", "blobs"],
    "shared.json": ["thumbprints", "opened", "degraded", "data"],
    "signed.json": ["senders", "enrolments", "registrations", "leaves", "receipts", "tokens", "requests"],
    "memory.json": ["vectors"], "callers.json": ["vectors"], "sets.json": ["sets"],
    "edges.json": ["opened", "degraded"], "formats.json": ["vectors"],
    "accounts.json": ["tags", "opened", "degraded", "data"],
    "fcm.json": ["opened", "degraded", "data", "senders", "enrolments", "registrations"],
    "xwing.json": ["sets", "opened", "degraded", "data", "enrolments", "registrations"],
  ]

  /// All vectors of all files.
  func readAll() throws -> [JSONObject] {
    try Self.lists.sorted { $0.key < $1.key }.flatMap { name, lists in
      try lists.flatMap { try read(name, $0) }
    }
  }

  func read(_ name: String, _ list: String = "vectors") throws -> [JSONObject] {
    let file = try file(name)
    #expect(file["format"]?.string == "sealed-push v1")
    return try #require(file[list]?.array).compactMap(\.object)
  }

  private func file(_ name: String) throws -> JSONObject {
    let data = try Data(contentsOf: url(name))
    return try JSONObject(parsing: Array(data).span, maximumDepth: 64)
  }

  func object(_ text: JSONValue?) throws -> JSONObject {
    try JSONObject(parsing: Array(try #require(text?.string).utf8).span, maximumDepth: 64)
  }

  /// The payload's length, in bytes, as the service counts it.
  func size(of vector: JSONObject) -> Int {
    let type = vector["pushType"]?.string ?? PushType.alert.rawValue
    guard PushType(rawValue: type) == nil, let data = try? object(vector["payload"]) else {
      return vector["payload"]?.string?.utf8.count ?? .max
    }
    return FCMPayload(data).size
  }

  /// The accounts that are signed in; nil if the opener does not know them.
  func accounts(_ value: JSONValue?) throws -> [AccountTag]? {
    guard let value else { return nil }
    return try #require(value.array).map { try AccountTag(try #require($0.string)) }
  }

  func time(_ value: JSONValue?) throws -> UnixTime {
    try #require(value?.number?.integer.flatMap(UnixTime.init(seconds:)))
  }
}
