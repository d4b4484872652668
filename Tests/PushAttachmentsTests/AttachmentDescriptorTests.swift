import PushAttachments
import PushCrypto
import PushCore
import Testing

/// What a descriptor contains, and what its descriptions hide.
struct AttachmentDescriptorTests {
  private static let key = "AAECAwQFBgcICQoLDA0ODw"
  private static let sha256 = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
  private static let json =
    #"{"url":"https://example.com/b","key":"\#(key)","sha256":"\#(sha256)","size":39,"type":"image/png"}"#

  private func object(_ json: String = json) throws -> JSONObject {
    let bytes = Array(json.utf8)
    return try JSONObject(parsing: bytes.span)
  }

  @Test func `a descriptor is read and written`() throws {
    let descriptor = try AttachmentDescriptor(parsing: object())
    #expect(descriptor.url?.text == "https://example.com/b")
    #expect([UInt8](copying: descriptor.key.exposedBytes) == Array(0...15))
    #expect(descriptor.sha256.count == 32 && descriptor.sha256[0] == 0xba)
    #expect(descriptor.size == 39 && descriptor.type == .png)
    #expect(String(decoding: descriptor.json().encoded(), as: UTF8.self) == Self.json)
  }

  @Test func `the address may be absent, and comes later`() throws {
    var object = try object()
    object["url"] = nil
    var descriptor = try AttachmentDescriptor(parsing: object)
    #expect(descriptor.url == nil && descriptor.json() == object)
    descriptor.url = try AttachmentURL("https://example.com/b")
    #expect(descriptor.json() == (try self.object()))
  }

  @Test func `members that are not known are ignored`() throws {
    var object = try object()
    object["alt"] = "A cat"
    object["v"] = 9
    #expect(try AttachmentDescriptor(parsing: object).json() == (try self.object()))
  }

  private static let faults: [(AttachmentMember, JSONValue?)] = [
    (.url, .null), (.url, 1), (.url, ""), (.url, "http://example.com/b"), (.url, "https://127.0.0.1/"),
    (.url, ["https://example.com/b"]), (.url, "https://example.com/b#c"),
    (.key, nil), (.key, .null), (.key, 1), (.key, ""), (.key, "AAECAwQFBgcICQoLDA0OD"),
    (.key, "AAECAwQFBgcICQoLDA0ODx"), (.key, "AAECAwQFBgcICQoLDA0ODw=="), (.key, "AAECAwQFBgcICQoLDA0ODxA"),
    (.key, "AAECAwQFBgcICQoLDA0O/w"), (.key, "000102030405060708090a0b0c0d0e0f"),
    (.key, "AAECAwQFBgcICQoLDA0Oé"),
    (.sha256, nil), (.sha256, .null), (.sha256, ""), (.sha256, "AAECAwQFBgcICQoLDA0ODw"), (.sha256, 5),
    (.sha256, .string(sha256 + "=")), (.sha256, .string(String(sha256.dropLast()))),
    (.sha256, .string(sha256 + "A")), (.sha256, .string(sha256.dropLast() + "1")),
    (.size, nil), (.size, .null), (.size, "39"), (.size, -1), (.size, 0), (.size, 37), (.size, 39.0),
    (.size, true), (.size, 65558), (.size, .number(JSONNumber(literal: "1e3")!)),
    (.size, .number(JSONNumber(literal: "9223372036854775808")!)),
    (.type, nil), (.type, .null), (.type, 1), (.type, ""), (.type, "png"), (.type, "image/PNG"),
    (.type, "text/html"),
  ]

  @Test func `a member that is wrong is named`() throws {
    for (member, value) in Self.faults {
      var object = try object()
      object[member.rawValue] = value
      #expect(throws: AttachmentError.invalidMember(member), "\(member) \(String(describing: value))") {
        try AttachmentDescriptor(parsing: object)
      }
    }
  }

  @Test func `the largest size there is`() throws {
    var object = try object()
    object["size"] = .number(JSONNumber(Int.max))
    // The size may not be a blob's, but no sum overflows.
    let descriptor = try? AttachmentDescriptor(parsing: object)
    if let descriptor {
      #expect(throws: AttachmentError.tooLarge(limit: 10_000_000)) {
        _ = try BlobOpener(descriptor: descriptor)
      }
    }
  }

  @Test func `neither key nor address is printed`() throws {
    let descriptor = try AttachmentDescriptor(parsing: object())
    var dumped = ""
    dump(descriptor, to: &dumped)
    dump([descriptor], to: &dumped)
    let member = try SealedPushMember(attachments: [descriptor])
    dump(member, to: &dumped)
    let texts = [
      "\(descriptor)", String(reflecting: descriptor), "\([descriptor])", "\(member)", dumped,
      String(describing: Optional(descriptor)), "\(Mirror(reflecting: descriptor).children.map { $0 })",
    ]
    for text in texts {
      for secret in [Self.key, "example.com", "0, 1, 2, 3", "00010203", "SharedSecret"] {
        #expect(!text.contains(secret), "\(text)")
      }
    }
    #expect("\(descriptor)" == "AttachmentDescriptor(image/png, size: 39)")
  }
}
