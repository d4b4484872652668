import PushAttachments
import PushCrypto
import PushCore
import Testing

/// The attachments' vectors do what they say.
@Suite struct AttachmentVectorTests {
  private let folder = VectorFolder()

  private func value(_ text: JSONValue?) throws -> JSONValue {
    let bytes = Array(try #require(text?.string).utf8)
    return try JSONValue(parsing: bytes.span, maximumDepth: 64)
  }

  @Test func everyMemberIsReadAsItShould() throws {
    for vector in try folder.read("attachments.json", "members") {
      let id = try #require(vector["id"]?.string)
      let value = try value(vector["member"])
      let member = SealedPushMember(reading: value)
      let expected = try #require(vector["expect"]?.array).compactMap(\.string)
      #expect(member.faults.map(\.code) == expected.filter { $0 != "accepted" }, "\(id)")
      let descriptors = zip(value.object?["attachments"]?.array ?? [], expected)
      let accepted = descriptors.filter { $0.1 == "accepted" }.compactMap(\.0.object)
      #expect(member.attachments.map { $0.json() } == accepted, "\(id)")
      #expect(vector["rule"] == nil || expected.isEmpty, "\(id)")
    }
  }

  @Test func everyDescriptorIsAcceptedOrRefused() throws {
    for vector in try folder.read("attachments.json", "descriptors") {
      let member = SealedPushMember(
        reading: ["v": 1, "attachments": [try value(vector["descriptor"])]])
      let code = member.faults.first?.code ?? "accepted"
      #expect(vector["expect"]?.string == code, "\(vector["id"]?.string ?? "")")
      #expect(member.attachments.count == (code == "accepted" ? 1 : 0))
      #expect((vector["rule"] == nil) == (code == "accepted"))
    }
  }

  @Test func everyAddressIsAcceptedOrRefused() throws {
    let vectors = try folder.read("attachments.json", "addresses")
    #expect(vectors.count >= 150)
    for vector in vectors {
      let text = try #require(vector["url"]?.string)
      do throws(AttachmentURLError) {
        _ = try AttachmentURL(text)
        #expect(vector["expect"] == "accepted" && vector["rule"] == nil, "\(text)")
      } catch {
        #expect(vector["expect"] == "invalid-url", "\(text)")
        #expect(Self.rules(of: error).contains(vector["rule"]?.string ?? ""), "\(text)")
      }
    }
  }

  private static func rules(of error: AttachmentURLError) -> Set<String> {
    switch error {
    case .tooLong, .badCharacter, .notHTTPS, .hasCredentials, .hasFragment, .badPort: ["10.5"]
    case .badHost: ["10.5", "10.6", "10.7", "10.8"]
    case .privateHost: ["10.6", "10.7", "10.8"]
    }
  }

  @Test(arguments: [1 << 20, 4096]) func everyBlobOpensOrIsRefused(_ piece: Int) throws {
    let vectors = try folder.read("attachments.json", "blobs")
    #expect(vectors.count >= 20)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let descriptor = try AttachmentDescriptor(
        parsing: try #require(try value(vector["descriptor"]).object))
      let blob = try Base64URL.decode(try #require(vector["blob"]?.string))
      let expected = vector["rule"] == nil ? try Self.file(of: vector) : nil
      do throws(AttachmentError) {
        let file = try Self.open(blob, descriptor, piece)
        #expect(vector["expect"] == "opened", "\(id)")
        #expect(file == expected, "\(id)")
      } catch {
        #expect(vector["expect"]?.string == error.code && vector["rule"] != nil, "\(id)")
      }
    }
  }

  @Test func aSealerWithTheSameKeyAndSaltGivesTheSameBlob() throws {
    var count = 0
    for vector in try folder.read("attachments.json", "blobs") where vector["padding"] == "none" {
      let id = try #require(vector["id"]?.string)
      var sealer = try BlobSealer(type: .png, layout: .standard, random: SequentialRandomness(label: id))
      var blob: [UInt8] = []
      let file = try Self.file(of: vector)
      try sealer.append(file.span) { blob += [UInt8](copying: $0) }
      var descriptor = try sealer.finish { blob += [UInt8](copying: $0) }
      #expect(Base64URL.encode(blob.span) == vector["blob"]?.string, "\(id)")
      descriptor.url = try AttachmentURL("https://cdn.example.com/\(id)")
      #expect(descriptor.json().text == vector["descriptor"]?.string, "\(id)")
      count += 1
    }
    #expect(count >= 5)
  }

  private static func file(of vector: JSONObject) throws -> [UInt8] {
    guard let repeated = vector["fileRepeat"]?.object else {
      return try Base64URL.decode(try #require(vector["file"]?.string))
    }
    let byte = try #require(repeated["byte"]?.number?.integer.flatMap(UInt8.init(exactly:)))
    let count = try #require(repeated["count"]?.number?.integer.flatMap(Int.init(exactly:)))
    return [UInt8](repeating: byte, count: count)
  }

  private static func open(
    _ blob: [UInt8], _ descriptor: AttachmentDescriptor, _ piece: Int
  ) throws(AttachmentError) -> [UInt8] {
    var opener = try BlobOpener(descriptor: descriptor)
    var file: [UInt8] = []
    for start in stride(from: 0, to: blob.count, by: piece) {
      let bytes = blob.span.extracting(start..<min(blob.count, start + piece))
      try opener.append(bytes) { file += [UInt8](copying: $0) }
    }
    try opener.finish()
    return file
  }
}
