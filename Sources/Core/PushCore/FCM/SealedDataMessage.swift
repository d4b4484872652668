/// A sealed message for an app on Android, ready for an FCM client.
///
/// It is a data message: the app opens it, and the system shows nothing by itself.
public struct SealedDataMessage: Hashable, Sendable {
  /// The message's ID.
  public let messageID: MessageID

  /// The member `data` of FCM's message, an object in JSON whose one value is the envelope.
  ///
  /// It is what `firebase-admin` takes as `data`. FCM counts the bytes of names and values, at most 4096.
  public let data: [UInt8]

  /// The member `android` of FCM's message.
  public let delivery: FCMDelivery

  /// How the payload's bytes are spent, as FCM counts them.
  package let budget: Budget

  /// What was cut to make the message fit, in order; empty unless the sealer's policy allows cuts.
  public let cuts: [Cut]

  /// Whether it asks a device for a proof: FORMAT.md, [11.19].
  public let isProofRequest: Bool

  package init(
    messageID: MessageID, data: [UInt8], delivery: FCMDelivery, budget: Budget, cuts: [Cut],
    isProofRequest: Bool
  ) {
    self.messageID = messageID
    self.data = data
    self.delivery = delivery
    self.budget = budget
    self.cuts = cuts
    self.isProofRequest = isProofRequest
  }

  /// The body of a request to FCM's HTTP v1 API, in JSON: `{"message":{…}}`.
  ///
  /// Without a token, its member `token` is missing, which the client must add.
  public func request(to token: FCMToken? = nil) -> [UInt8] {
    let request: JSONObject = ["message": .object(message(to: token))]
    return request.encoded()
  }

  /// The member `message` of such a request.
  package func message(to token: FCMToken?) -> JSONObject {
    guard let data = try? JSONObject(parsing: data.span) else { preconditionFailure("the data is JSON") }
    var message: JSONObject = token.map { ["token": .string($0.text)] } ?? [:]
    message["android"] = .object(delivery.json)
    message["data"] = .object(data)
    return message
  }
}

/// Keeps the envelope out of logs.
extension SealedDataMessage: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the size of the data.
  public var description: String { "message \(messageID), \(data.count) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A message and the Android device that it is for.
public struct AddressedMessage: Hashable, Sendable {
  /// The message.
  public let message: SealedDataMessage

  /// The device.
  public let address: FCMAddress

  /// Addresses a message.
  public init(_ message: SealedDataMessage, to address: FCMAddress) {
    self.message = message
    self.address = address
  }

  /// The body of the request to FCM's HTTP v1 API, in JSON: `{"message":{"token":…,…}}`.
  public var request: [UInt8] { message.request(to: address.token) }
}
