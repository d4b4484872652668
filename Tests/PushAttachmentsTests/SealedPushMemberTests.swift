import PushAttachments
import PushCore
import Testing

/// The list of attachments in a sealed content.
struct SealedPushMemberTests {
  private let descriptor: AttachmentDescriptor

  init() throws {
    var descriptor = try Blob(sealing: file(3)).descriptor
    descriptor.url = try AttachmentURL("https://example.com/b")
    self.descriptor = descriptor
  }

  private func read(_ attachments: [JSONValue], version: JSONValue? = 1) -> SealedPushMember {
    var object: JSONObject = ["attachments": .array(attachments)]
    object["v"] = version
    return SealedPushMember(reading: .object(object))
  }

  private var good: JSONValue { .object(descriptor.json()) }

  @Test func `what is written is read`() throws {
    let member = try SealedPushMember(attachments: [descriptor, descriptor])
    #expect(member.json().keys == ["v", "attachments"])
    let other = SealedPushMember(reading: .object(member.json()))
    #expect(other.attachments.map { $0.json() } == member.attachments.map { $0.json() })
    #expect(other.faults.isEmpty)
    #expect(SealedPushMember.name == "sealed-push")
  }

  @Test func `a member of another form has no attachments`() throws {
    let values: [JSONValue?] = [
      nil, .null, 1, "x", [good], [:], ["v": 1], ["v": 1, "attachments": .null],
      ["v": 1, "attachments": good],
      ["attachments": [good]], ["v": 2, "attachments": [good]], ["v": "1", "attachments": [good]],
      ["v": 1.0, "attachments": [good]], ["v": true, "attachments": [good]], ["v": 0, "attachments": [good]],
    ]
    for value in values {
      let member = SealedPushMember(reading: value)
      #expect(member.attachments.isEmpty && member.faults.isEmpty, "\(String(describing: value))")
    }
  }

  @Test func `members that are not known are ignored`() {
    let value: JSONValue = ["v": 1, "later": [1], "attachments": [good]]
    #expect(SealedPushMember(reading: value).attachments.count == 1)
  }

  @Test func `a descriptor at fault leaves the others`() throws {
    var noURL = descriptor.json()
    noURL["url"] = nil
    var noKey = descriptor.json()
    noKey["key"] = "x"
    var large = descriptor.json()
    large["size"] = 50_000_000
    let member = read([good, 1, .object(noURL), .null, good, .object(noKey), .object(large), [good]])
    #expect(member.attachments.count == 2)
    #expect(
      member.faults == [
        .notADescriptor, .missingURL, .notADescriptor, .invalidMember(.key), .tooLarge(limit: 10_000_000),
        .notADescriptor,
      ])
  }

  @Test func `eight are read, and what follows is not looked at`() throws {
    let member = read([JSONValue](repeating: good, count: 8) + [1, good])
    #expect(member.attachments.count == 8 && member.faults.isEmpty)
    #expect(read([JSONValue](repeating: 1, count: 8) + [good]).attachments.isEmpty)
  }

  @Test func `eight are written, and no more`() throws {
    _ = try SealedPushMember(attachments: [AttachmentDescriptor](repeating: descriptor, count: 8))
    #expect(throws: AttachmentError.tooMany) {
      try SealedPushMember(attachments: [AttachmentDescriptor](repeating: descriptor, count: 9))
    }
    var noURL = descriptor
    noURL.url = nil
    #expect(throws: AttachmentError.missingURL) { try SealedPushMember(attachments: [descriptor, noURL]) }
    let large = try descriptor.sized(50_000_000)
    #expect(throws: AttachmentError.tooLarge(limit: 10_000_000)) {
      try SealedPushMember(attachments: [descriptor, large])
    }
  }
}
