import PushKeys
import PushPayload
import PushSealer

/// Why one line was not sealed.
struct LineError: Error {
  /// A stable word for programs.
  let code: String
  /// The same for people.
  let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SealError) {
    let code =
      switch error {
      case .payload: "bad-payload"
      case .nothingToShow: "nothing-to-show"
      case .reservedKey: "reserved-key"
      case .attachments, .attachmentsOfData: "bad-attachments"
      case .tooLarge: "too-large"
      case .headers: "bad-headers"
      case .recipientRefused: "recipient-refused"
      case .cryptoUnavailable: "crypto-unavailable"
      }
    self.init(code, SealFailure.describe(error).message)
  }

  init(_ error: KeySetError) {
    self.init("recipient-refused", "the device's keys: \(KeySetText.describe(error))")
  }

  static func badMember(_ name: String, _ rule: String) -> LineError {
    LineError("bad-member", "'\(name)' is \(rule)")
  }

  /// The error as a line of JSON.
  func encoded(line: Int) -> [UInt8] {
    let object: JSONObject = [
      "line": .number(JSONNumber(line)), "error": .string(code), "message": .string(message),
    ]
    return object.encoded() + [UInt8(ascii: "\n")]
  }
}
