public import PushCore

/// A device that did not get a message.
public struct MissingDevice: Hashable, Sendable {
  /// The registration's name.
  public let registration: String

  /// The device's identity: sent again, the message is for this device alone, and for none that has taken its name since.
  public let identity: Thumbprint

  /// Why, for operators: it names no token, text or key.
  public let reason: String

  /// Names a device; at most 500 bytes of the reason are kept.
  public init(registration: String, identity: Thumbprint, reason: String) {
    self.registration = registration
    self.identity = identity
    self.reason = Reason.shortened(reason)
  }
}

/// The devices in the column `missing`: a JSON array of objects with `registration`, `identity` and `reason`.
package enum MissingDevices {
  /// The column's text; nil if there are none.
  package static func text(of devices: [MissingDevice]) -> String? {
    guard !devices.isEmpty else { return nil }
    let objects = devices.map { device in
      JSONValue.object([
        "registration": .string(device.registration), "identity": .string(device.identity.text),
        "reason": .string(device.reason),
      ])
    }
    return String(decoding: JSONValue.array(objects).encoded(), as: UTF8.self)
  }

  /// The devices in a text; what is no device is left out.
  package static func devices(in text: String?) -> [MissingDevice] {
    guard let text, let array = (try? JSONValue(parsing: Array(text.utf8).span))?.array else { return [] }
    return array.compactMap { value in
      guard let object = value.object, let registration = object["registration"]?.string,
        let identity = object["identity"]?.string.flatMap({ try? Thumbprint($0) }),
        let reason = object["reason"]?.string
      else { return nil }
      return MissingDevice(registration: registration, identity: identity, reason: reason)
    }
  }
}

/// Keeps names out of logs.
extension MissingDevice: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, and the reason.
  public var description: String { "device \(identity): \(reason)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
