import Foundation
import PushEnvelope
import PushKeys
import PushPayload
import Testing

/// The folder Vectors/, as it is committed.
struct VectorFolder {
  func url(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Vectors").appending(path: name)
  }

  func receiver() throws -> VectorReceiver {
    let data = try Data(contentsOf: url("keys.json"))
    let keys = try JSONObject(parsing: Array(data).span, maximumDepth: 64)
    let device = try KeySet(parsing: try #require(keys["device"]?.object).encoded().span)
    let sender = try KeySet(parsing: try #require(keys["sender"]?.object).encoded().span)
    return VectorReceiver(keys: device, senders: sender.publicKeys)
  }

  func read(_ name: String) throws -> [JSONObject] {
    let data = try Data(contentsOf: url(name))
    let file = try JSONObject(parsing: Array(data).span, maximumDepth: 64)
    #expect(file["format"]?.string == "sealed-push v1")
    return try #require(file["vectors"]?.array).compactMap(\.object)
  }

  func object(_ text: JSONValue?) throws -> JSONObject {
    try JSONObject(parsing: Array(try #require(text?.string).utf8).span, maximumDepth: 64)
  }

  func time(_ value: JSONValue?) throws -> UnixTime {
    try #require(value?.number?.integer.flatMap(UnixTime.init(seconds:)))
  }
}
