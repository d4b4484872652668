/// What callers may say in the content's reserved member, `sealed-push`: FORMAT.md, section 6.
///
/// The rest of it is the format's own.
package struct CallersMember {
  static let version = "v"
  private static let bytesKey = "bytes"

  package let changes: MessageChanges

  /// Bytes of the app's own; nil if there are none.
  package let bytes: [UInt8]?

  init(changes: MessageChanges, bytes: [UInt8]?) {
    self.changes = changes
    self.bytes = bytes
  }

  /// Reads the member of an opened content; what is not valid is passed over.
  package init(reading value: JSONValue?) {
    changes = MessageChanges(reading: value)
    let text =
      value?.object?[Self.version]?.number?.integer == 1 ? value?.object?[Self.bytesKey]?.string : nil
    bytes = text.flatMap { try? Base64URL.decode($0) }
  }

  /// Reads the member of a content to seal; nil unless it has something valid, and nothing else.
  package init?(strictly value: JSONValue) {
    self.init(reading: value)
    guard let json = json?.object, let object = value.object, json.count == object.count,
      json.allSatisfy({ object[$0.key] == $0.value })
    else { return nil }
  }

  /// The member; nil if it has nothing.
  var json: JSONValue? {
    guard !changes.isEmpty || bytes != nil else { return nil }
    var object: JSONObject = [Self.version: 1]
    changes.write(into: &object)
    object[Self.bytesKey] = bytes.map { .string(Base64URL.encode($0)) }
    return .object(object)
  }
}

extension JSONObject {
  /// The payload of a message that takes another one's place, unless it says itself which one's; a reserved member that is not a
  /// caller's stays, so that a sealer refuses it.
  package func replacing(_ message: MessageID) -> JSONObject {
    let member: CallersMember?
    if let value = self[EnvelopeKey.reserved] {
      member = CallersMember(strictly: value)
    } else {
      member = CallersMember(changes: .none, bytes: nil)
    }
    guard let member, member.changes.replaces == nil else { return self }
    var other = self
    other[EnvelopeKey.reserved] =
      CallersMember(changes: member.changes.replacing(message), bytes: member.bytes).json
    return other
  }

  /// The payload with other IDs for the messages that it replaces or removes, such as those that they have on a device.
  ///
  /// A reserved member that is not a caller's stays, so that a sealer refuses it.
  package func changing(_ id: (MessageID) -> MessageID) -> JSONObject {
    guard let value = self[EnvelopeKey.reserved], let member = CallersMember(strictly: value) else {
      return self
    }
    var other = self
    other[EnvelopeKey.reserved] =
      CallersMember(changes: member.changes.changing(id), bytes: member.bytes).json
    return other
  }
}

extension RemoteNotification {
  /// The same notification with bytes of the app's own inside the sealed content: a protobuf, or a message of MLS or Signal.
  ///
  /// The extension's step `.reading(_:)` makes the text of them. Until it has, and where it fails, the notification's own text
  /// is shown, such as "New message". In the JSON, three bytes take four.
  public func carrying(_ bytes: [UInt8]) -> RemoteNotification {
    var other = self
    other.custom[EnvelopeKey.reserved] = CallersMember(changes: changes, bytes: bytes).json
    return other
  }

  /// The bytes of the app's own; nil if there are none.
  public var bytes: [UInt8]? { CallersMember(reading: custom[EnvelopeKey.reserved]).bytes }
}
