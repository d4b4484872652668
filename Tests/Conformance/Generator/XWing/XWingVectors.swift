import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// What opens with an X-Wing key.
struct XWingVectors {
  let keys: XWingKeys

  func opened() throws -> [OpenedVector] { try suiteVectors().opened() + [try topBit()] }

  func data() throws -> [DataVector] {
    try suiteVectors().data() + [try largestCall(isSigned: true), try largestCall(isSigned: false)]
  }

  private func suiteVectors() throws -> SuiteVectors {
    SuiteVectors(recipient: try keys.recipient(), retired: try keys.retired(), sender: keys.sender)
  }

  /// X25519 ignores the top bit, and the combiner does not.
  private func topBit() throws -> OpenedVector {
    var forge = try suiteVectors().forge("ct-x-top-bit", isSigned: true)
    try forge.encapsulate { $0.changeParts = { $0.ctX[31] |= 0x80 } }
    return OpenedVector(
      id: forge.label, comment: "the top bit of ct_X is set, and ct_X is bound as it was sent", forge: forge,
      padding: "other", limit: 4096, payload: try forge.payload())
  }

  private func largestCall(isSigned: Bool) throws -> DataVector {
    let room = Budget.contentCapacity(
      policy: SealingPolicy(pushType: .voip), suite: .xwingAESGCM, isSigned: isSigned)
    let empty = #"{"aps":{},"call":""}"#.utf8.count
    let call = String(repeating: "x", count: room - empty)
    return try suiteVectors().data(
      "largest-\(isSigned ? "signed" : "anonymous")", .voip, "the longest call that fits", isSigned: isSigned,
      content: #"{"aps":{},"call":"\#(call)"}"#)
  }
}
