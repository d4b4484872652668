package import PushCore

/// The top-level member of a sealed content that is reserved for the format: `sealed-push`, version 1.
package struct SealedPushMember: Sendable {
  /// The member's name.
  package static let name = EnvelopeKey.reserved

  /// The maximum number of attachments of a message.
  package static let maximumCount = 8

  /// The attachments in order.
  ///
  /// Each has an address.
  package let attachments: [AttachmentDescriptor]

  /// Why other attachments were left out, in order.
  package let faults: [AttachmentError]

  /// Creates the member of a message to seal.
  ///
  /// - Throws: ``AttachmentError/tooMany``, ``AttachmentError/missingURL``, ``AttachmentError/tooLarge(limit:)``.
  package init(attachments: [AttachmentDescriptor]) throws(AttachmentError) {
    guard attachments.count <= Self.maximumCount else { throw .tooMany }
    for attachment in attachments { try Self.check(attachment) }
    self.attachments = attachments
    faults = []
  }

  /// Reads the member of opened content.
  ///
  /// It never fails, so the text is always shown. A member of another form or version gives no attachments. An invalid
  /// descriptor does not affect the others. Elements after the first ``maximumCount`` are ignored.
  package init(reading value: JSONValue?) {
    var attachments: [AttachmentDescriptor] = []
    var faults: [AttachmentError] = []
    for element in Self.descriptors(in: value).prefix(Self.maximumCount) {
      do throws(AttachmentError) {
        attachments.append(try Self.descriptor(parsing: element))
      } catch {
        faults.append(error)
      }
    }
    self.attachments = attachments
    self.faults = faults
  }

  /// The member as JSON, including the keys.
  package func json() -> JSONObject {
    ["v": 1, "attachments": .array(attachments.map { .object($0.json()) })]
  }

  /// Appends the member of a message that is for an account, and has no attachments, to the JSON of a content, an object
  /// with other members.
  package static func append(_ account: AccountTag, to content: inout [UInt8]) {
    content.removeLast()
    content += Self.accountHead
    content += account.text.utf8
    content += Self.accountTail
  }

  /// Adds the account to the member that a content has.
  package static func add(_ account: AccountTag, to content: inout JSONObject) {
    var member = content[name]?.object ?? ["v": 1]
    member[accountKey] = .string(account.text)
    content[name] = .object(member)
  }

  private static let accountKey = "account"
  private static let accountHead = Array(",\"\(name)\":{\"v\":1,\"\(accountKey)\":\"".utf8)
  private static let accountTail = Array("\"}}".utf8)

  /// The account that opened content names, a tag or not; nil if it names none: FORMAT.md, [6.5].
  package static func accountValue(in value: JSONValue?) -> JSONValue? { value?.object?[accountKey] }

  private static func descriptors(in value: JSONValue?) -> [JSONValue] {
    guard let object = value?.object, object["v"]?.number?.integer == 1 else { return [] }
    return object["attachments"]?.array ?? []
  }

  private static func descriptor(parsing value: JSONValue) throws(AttachmentError) -> AttachmentDescriptor {
    guard let object = value.object else { throw .notADescriptor }
    let descriptor = try AttachmentDescriptor(parsing: object)
    try check(descriptor)
    return descriptor
  }

  private static func check(_ descriptor: AttachmentDescriptor) throws(AttachmentError) {
    guard descriptor.url != nil else { throw .missingURL }
    try descriptor.check(limit: descriptor.type.limit)
  }
}
