import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// The memory of section 7 tells what was opened before, and for how long.
@Suite struct MemoryVectorTests {
  private let folder = VectorFolder()

  @Test func everyPushIsMarked() throws {
    let vectors = try folder.read("memory.json")
    #expect(vectors.count >= 40)
    let keys = try folder.receiver()
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let capacity = vector["capacity"]?.number?.integer.map(Int.init) ?? 1024
      let memory = InMemoryReplayStore(capacity: capacity)
      for push in try #require(vector["before"]?.array) {
        _ = try mark(try #require(push.object), keys, memory)
      }
      #expect(try mark(vector, keys, memory) == vector["expect"]?.string, "\(id)")
    }
  }

  /// What a push is marked as, or why it does not open.
  private func mark(
    _ push: JSONObject, _ keys: VectorReceiver, _ memory: InMemoryReplayStore
  ) throws -> String {
    let receiver = try keys.receiver(at: try folder.time(push["now"]), remembering: memory)
    let payload = try folder.object(push["payload"])
    let type = try #require(PushType(rawValue: push["pushType"]?.string ?? PushType.alert.rawValue))
      .contentType
    do throws(DegradeReason) {
      let message =
        type == .notification
        ? try receiver.open(IncomingPush(payload: payload))
        : try receiver.openData(EnvelopeField(data: payload), as: type)
      guard type != .liveActivity else { return "opened" }
      return switch message.opened.repetition {
      case .first: "first"
      case .duplicate, .seen: "duplicate"
      case .notChecked: "not-checked"
      }
    } catch {
      return error.rawValue
    }
  }
}
