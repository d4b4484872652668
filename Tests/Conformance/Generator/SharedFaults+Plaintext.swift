import PushCore
import PushKeys
import PushReceiver
import TestSupport
import Testing

extension SharedFaults {
  func plaintextFaults() throws -> [DegradedVector] {
    [
      try faulty("plaintext-empty", "5.1", .malformedContent, "nothing was sealed: the ciphertext is a tag") {
        $0.changePlaintext = { _ in [] }
      },
      try faulty("padding-none", "5.1", .malformedContent, "no marker") { $0.padding = [] },
      try faulty("content-type-2", "5.3", .malformedContent, "data where a notification is opened") {
        $0.firstByte = 0x21
      },
    ]
  }

  func signatureFaults() throws -> [DegradedVector] {
    let device = try keys.recipient(.x25519ChaChaPoly)
    var anonymous = try faulty("anonymous-not-accepted", "5.7", .anonymousNotAccepted, "nobody signed") {
      $0.signer = nil
    }
    anonymous.setting.anonymous = false
    var replayed = try faulty(
      "replayed", "7.1", .replayed,
      "anonymous, and another content under the identity of a message that was shown"
    ) {
      $0.signer = nil
      $0.content = Array(#"{"aps":{"alert":"Another"}}"#.utf8)
    }
    var first = try forge(replayed.id)
    first.signer = nil
    replayed.setting.after = try first.payload()
    return [
      anonymous,
      try faulty("sender-unknown", "5.8", .unknownSender, "signed by somebody who is not trusted") {
        $0.signer = try keys.stranger.signingKey()
      },
      try faulty("signature-flipped", "5.9", .badSignature, "a bit of the signature") {
        $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
      },
      try faulty("signature-retargeted", "5.9", .badSignature, "signed for the device's X25519 key") {
        $0.signedBinding = device.binding(for: try Topic(Forge.topic))
      },
      replayed,
    ]
  }
}
