import PushEnvelope
import PushPayload
import PushReceiver
import PushTesting
import Testing

/// Data opens where data is asked for, any number of times, and nothing else does.
@Suite struct DataVectorTests {
  private let folder = VectorFolder()

  private var vectors: [JSONObject] {
    get throws {
      try folder.read("data.json") + folder.read("push-types.json") + folder.read("shared.json", "data")
    }
  }

  private func field(of vector: JSONObject) throws -> EnvelopeField {
    EnvelopeField(data: try folder.object(vector["payload"]))
  }

  private func receiver(
    at vector: JSONObject, remembering replay: any ReplayStore = InMemoryReplayStore()
  ) throws -> Receiver {
    try folder.sharedReceiver().receiver(at: try folder.time(vector["now"]), remembering: replay)
  }

  @Test func everyPositiveOpensAndEveryNegativeIsRefused() throws {
    let vectors = try vectors
    #expect(vectors.count >= 40)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let size = try #require(vector["payload"]?.string).utf8.count
      let receiver = try receiver(at: vector)
      let field = try field(of: vector)
      do throws(DegradeReason) {
        let message = try receiver.openData(field)
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

  /// Data is not remembered: the same opens again, and nothing is kept of it.
  @Test func theSameOpensTwice() throws {
    for vector in try vectors where vector["expect"] == "opened" {
      let id = try #require(vector["id"]?.string)
      let replay = CountingReplayStore()
      let receiver = try receiver(at: vector, remembering: replay)
      let first = try receiver.openData(try field(of: vector))
      let second = try receiver.openData(try field(of: vector))
      #expect(first == second && second.opened.repetition == .notChecked, "\(id)")
      #expect(replay.count == 0, "\(id)")
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
