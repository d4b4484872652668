import PushCore
import PushReceiver
import PushSealer
import PushTesting
import Testing

/// Data opens where its push type is expected, and nothing else does.
@Suite struct DataVectorTests {
  private let folder = VectorFolder()

  private var vectors: [JSONObject] {
    get throws {
      try folder.read("data.json") + folder.read("push-types.json") + folder.read("shared.json", "data")
        + folder.read("accounts.json", "data")
    }
  }

  private func field(of vector: JSONObject) throws -> EnvelopeField {
    EnvelopeField(data: try folder.object(vector["payload"]))
  }

  /// What the app expects: a notification among the data is in a background push's place.
  private func type(of vector: JSONObject) throws -> ContentType {
    let name = try #require(vector["pushType"]?.string)
    let type = try #require(PushType.allCases.first { [$0.rawValue, $0.nameAtFCM].contains(name) })
      .contentType
    return type == .notification ? .background : type
  }

  private func receiver(
    at vector: JSONObject, remembering replay: any ReplayStore = InMemoryReplayStore()
  ) throws -> Receiver {
    let isXWing = vector["suite"]?.string == Suite.xwingAESGCM.name
    let receiver = try isXWing ? folder.receiver(of: "xwing.json") : folder.sharedReceiver()
    return try receiver.receiver(
      of: vector["topic"]?.string ?? "", at: try folder.time(vector["now"]), remembering: replay,
      accounts: try folder.accounts(vector["accounts"]))
  }

  @Test func everyPositiveOpensAndEveryNegativeIsRefused() throws {
    let vectors = try vectors
    #expect(vectors.count >= 40)
    try expectOutcomes(vectors)
  }

  func expectOutcomes(_ vectors: [JSONObject]) throws {
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let size = folder.size(of: vector)
      let receiver = try receiver(at: vector)
      let field = try field(of: vector)
      let type = try type(of: vector)
      if let after = vector["after"] {
        _ = try receiver.openData(EnvelopeField(data: try folder.object(after)), as: type)
      }
      do throws(DegradeReason) {
        let message = try receiver.openData(field, as: type)
        #expect(vector["expect"] == "opened" && vector["rule"] == nil, "\(id)")
        #expect(Int64(size) <= (vector["limit"]?.number?.integer ?? 0), "\(id)")
        expect(message, is: vector, id)
      } catch {
        #expect(vector["expect"]?.string == error.rawValue && vector["rule"] != nil, "\(id)")
      }
    }
  }

  private func expect(_ message: OpenedMessage, is vector: JSONObject, _ id: String) {
    let (opened, claims) = (message.opened, message.opened.claims)
    #expect(String(decoding: message.json, as: UTF8.self) == vector["content"]?.string, "\(id)")
    #expect(opened.sender?.text == vector["sender"]?.string, "\(id)")
    #expect(claims.messageID.text == vector["messageID"]?.string, "\(id)")
    #expect(claims.issuedAt.seconds == vector["issuedAt"]?.number?.integer, "\(id)")
    #expect(Int64(claims.lifetime.seconds) == vector["lifetime"]?.number?.integer, "\(id)")
  }

  /// The second time it is a duplicate, but for the state of a Live Activity, of which nothing is kept.
  @Test func theSameOpensTwice() throws {
    for vector in try vectors where vector["expect"] == "opened" {
      let id = try #require(vector["id"]?.string)
      let type = try type(of: vector)
      let receiver = try receiver(at: vector)
      let found = try (0..<2).map { _ in
        try receiver.openData(try field(of: vector), as: type).opened.repetition
      }
      #expect(found == (type == .liveActivity ? [.notChecked, .notChecked] : [.first, .duplicate]), "\(id)")
    }
  }

  @Test func noneOpensAsAnotherType() throws {
    for vector in try vectors where vector["expect"] == "opened" {
      for other in ContentType.allCases where other != (try type(of: vector)) {
        let (receiver, field) = (try receiver(at: vector), try field(of: vector))
        #expect(throws: DegradeReason.malformedContent) { try receiver.openData(field, as: other) }
      }
    }
  }

  @Test func dataIsNoNotification() throws {
    for vector in try vectors where vector["expect"] == "opened" {
      let receiver = try receiver(at: vector)
      let push = IncomingPush(title: "", hasSound: false, envelope: try field(of: vector))
      #expect(throws: DegradeReason.malformedContent) { try receiver.open(push) }
    }
  }
}
