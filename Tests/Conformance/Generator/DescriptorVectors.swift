import PushAttachments
import PushCore
import Testing

/// Descriptors that are accepted, and those that are not, each with one fault.
struct DescriptorVectors {
  static let good: JSONObject = [
    "url": "https://cdn.example.com/b", "key": "AAECAwQFBgcICQoLDA0ODw",
    "sha256": "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0", "size": 39, "type": "image/png",
  ]

  func all() throws -> [DescriptorVector] {
    try accepted() + formFaults() + typeFaults() + sizeFaults() + [addressFault()]
  }

  private func accepted() throws -> [DescriptorVector] {
    let types = AttachmentType.allCases.map { type in
      accepted(
        "type-\(type.rawValue.map { $0 == "/" ? "-" : $0 }.reduce("") { $0 + String($1) })",
        "a type of the table", ["type": .string(type.rawValue)])
    }
    let sizes = [
      (38, "of an empty file"), (65557, "of a full record"), (65574, "with a last record of 17 bytes"),
    ].map { size, what in
      accepted("size-\(size)", "the length \(what)", ["size": .number(JSONNumber(size))])
    }
    let largest = try AttachmentKind.allCases.map { kind in
      accepted(
        "largest-\(kind.rawValue)", "the longest blob of its kind",
        ["type": .string(try type(of: kind)), "size": .number(JSONNumber(try longestBlob(of: kind)))])
    }
    return types + sizes + largest + [
      accepted("extra-members", "members that nobody knows", ["alt": "A cat", "v": 9])
    ]
  }

  private func formFaults() throws -> [DescriptorVector] {
    let others: [(String, JSONValue)] = [
      ("null", .null), ("string", "https://cdn.example.com/b"), ("array", [.object(Self.good)]),
      ("number", 5),
    ]
    let absent = AttachmentMember.allCases.map { member in
      faulty(
        "\(member.rawValue)-absent", "10.2", member == .url ? .missingURL : .invalidMember(member),
        "a member is missing", member, nil)
    }
    let wrong: [(AttachmentMember, String, String, JSONValue)] = [
      (.url, "null", "no string", .null), (.url, "array", "no string", ["https://cdn.example.com/b"]),
      (.key, "null", "no string", .null), (.key, "15-bytes", "15 bytes", "AAECAwQFBgcICQoLDA0O"),
      (.key, "17-bytes", "17 bytes", "AAECAwQFBgcICQoLDA0ODxA"),
      (.key, "padded", "padding characters", "AAECAwQFBgcICQoLDA0ODw=="),
      (.key, "trailing-bits", "bits that belong to no byte", "AAECAwQFBgcICQoLDA0ODx"),
      (.key, "slash", "the standard alphabet", "AAECAwQFBgcICQoLDA0O/w"),
      (.key, "hex", "hexadecimal digits", "000102030405060708090a0b0c0d0e0f"),
      (.sha256, "number", "no string", 5), (.sha256, "16-bytes", "16 bytes", "AAECAwQFBgcICQoLDA0ODw"),
      (.sha256, "padded", "a padding character", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0="),
      (.size, "string", "no integer", "39"), (.size, "null", "no integer", .null),
      (.size, "true", "no integer", true), (.size, "fraction", "a fraction", try number("39.0")),
      (.size, "exponent", "an exponent", try number("39e0")), (.size, "negative", "below zero", -39),
      (.size, "2-63", "not below 2^63", try number("9223372036854775808")),
      (.type, "null", "no string", .null), (.type, "array", "no string", ["image/png"]),
    ]
    return others.map { name, value in
      DescriptorVector(
        id: "descriptor-\(name)", comment: "no object", value: value, fault: ("10.2", .notADescriptor))
    } + absent
      + wrong.map { member, name, comment, value in
        faulty("\(member.rawValue)-\(name)", "10.2", .invalidMember(member), comment, member, value)
      }
  }

  private func typeFaults() -> [DescriptorVector] {
    let types = [
      ("upper-case", "image/PNG"), ("empty", ""), ("bare", "png"), ("text", "text/html"),
      ("webp", "image/webp"),
      ("jpg", "image/jpg"), ("parameter", "image/png; q=1"), ("space", "image/png "),
    ]
    return types.map { name, type in
      faulty(
        "type-\(name)", "10.3", .invalidMember(.type), "not one of the table", .type, .string(type))
    }
  }

  private func sizeFaults() throws -> [DescriptorVector] {
    let impossible = [0, 21, 37, 65558, 65573].map { size in
      faulty(
        "size-\(size)", "10.4", .invalidMember(.size), "no blob has that length", .size,
        .number(JSONNumber(size)))
    }
    let tooLarge = try AttachmentKind.allCases.map { kind in
      var object = Self.good
      object["type"] = .string(try type(of: kind))
      object["size"] = .number(JSONNumber(try longestBlob(of: kind) + 1))
      return DescriptorVector(
        id: "descriptor-too-large-\(kind.rawValue)", comment: "a byte more than the longest blob of its kind",
        value: .object(object), fault: ("10.4", .tooLarge(limit: kind.limit)))
    }
    let huge = faulty(
      "size-huge", "10.4", .tooLarge(limit: AttachmentKind.image.limit),
      "below 2^63, and a length that a blob could have", .size, try number("9223372036854775807"))
    return impossible + tooLarge + [huge]
  }

  private func addressFault() -> DescriptorVector {
    faulty(
      "url-http", "10.5", .invalidMember(.url), "an address that the rules refuse", .url,
      "http://cdn.example.com/b")
  }

  private func type(of kind: AttachmentKind) throws -> String {
    try #require(AttachmentType.allCases.first { $0.kind == kind }).rawValue
  }

  private func longestBlob(of kind: AttachmentKind) throws -> Int {
    try #require(BlobLayout.standard.blobSize(ofFile: kind.limit))
  }

  private func number(_ literal: String) throws -> JSONValue {
    .number(try #require(JSONNumber(literal: literal)))
  }

  private func accepted(_ id: String, _ comment: String, _ changes: JSONObject) -> DescriptorVector {
    var object = Self.good
    for member in changes { object[member.key] = member.value }
    return DescriptorVector(id: "descriptor-\(id)", comment: comment, value: .object(object))
  }

  private func faulty(
    _ id: String, _ rule: String, _ error: AttachmentError, _ comment: String, _ member: AttachmentMember,
    _ value: JSONValue?
  ) -> DescriptorVector {
    var object = Self.good
    object[member.rawValue] = value
    return DescriptorVector(
      id: "descriptor-\(id)", comment: comment, value: .object(object), fault: (rule, error))
  }
}
