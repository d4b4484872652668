import PushTesting
import Testing

@testable import PushNetwork

/// What one side of a connection holds of what it sends and receives.
struct FrameTests {
  @Test("No more frames are encoded once there are as many bytes as were asked for")
  func enough() throws {
    let session = FrameSession(
      role: .client, limits: HTTP2Limits(), firstStreamLimit: 1, clock: ManualClock(.now))
    var output: [UInt8] = []
    try session.send(to: &output, atMost: RawPeer.preface.count)
    #expect(output == RawPeer.preface)
  }

  @Test("A message whose fields are too many is dropped at once, and leaves its room to others")
  func tooManyFields() {
    var limits = HTTP2Limits()
    limits.connectionSize = 100
    var messages = IncomingMessages(limits: limits)
    let small = HTTPField(name: "x", value: "1")
    let large = HTTPField(name: "x", value: String(repeating: "x", count: 100))
    messages.begin(on: 1)
    var isTaken = [messages.add(small, on: 1), messages.add(large, on: 1)]
    messages.begin(on: 3)
    // Together with what was dropped, these would be too many.
    isTaken += [messages.add(small, on: 3), messages.add(small, on: 3)]
    #expect(isTaken == [true, false, true, true])
  }
}
