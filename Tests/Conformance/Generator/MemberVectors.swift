import PushAttachments
import PushCore
import Testing

/// What a content may have under `sealed-push`.
struct MemberVectors {
  func all() throws -> [MemberVector] { try lists() + refused() }

  private func lists() throws -> [MemberVector] {
    let good = (0..<10).map { descriptor($0) }
    var keyless = DescriptorVectors.good
    keyless["key"] = nil
    let bad = JSONValue.object(keyless)
    return [
      MemberVector(id: "member-empty", comment: "no attachments", value: list([])),
      MemberVector(
        id: "member-two", comment: "two attachments, in order", value: list([good[0], good[1]]),
        expect: [nil, nil]),
      MemberVector(
        id: "member-others", comment: "other members",
        value: ["v": 1, "attachments": [good[0]], "later": ["v": 2]], expect: [nil]),
      MemberVector(
        id: "member-one-bad", comment: "one at fault, which leaves the others",
        value: list([good[0], bad, .null, good[1]]),
        expect: [nil, .invalidMember(.key), .notADescriptor, nil]),
      MemberVector(
        id: "member-ten", comment: "eight are looked at", value: list(good),
        expect: [AttachmentError?](repeating: nil, count: 8)),
      MemberVector(
        id: "member-eight-bad", comment: "eight are looked at, good or not",
        value: list([JSONValue](repeating: bad, count: 8) + [good[0]]),
        expect: [AttachmentError?](repeating: .invalidMember(.key), count: 8)),
    ]
  }

  private func refused() throws -> [MemberVector] {
    let one: JSONValue = [descriptor(0)]
    let fraction = JSONValue.number(try #require(JSONNumber(literal: "1.0")))
    let values: [(String, String, JSONValue)] = [
      ("null", "no object", .null), ("array", "no object", one), ("string", "no object", "v1"),
      ("no-v", "v is missing", ["attachments": one]),
      ("v-2", "another version", ["v": 2, "attachments": one]),
      ("v-string", "v is no integer", ["v": "1", "attachments": one]),
      ("v-true", "v is no integer", ["v": true, "attachments": one]),
      ("v-fraction", "v is no integer", ["v": fraction, "attachments": one]),
      ("no-list", "attachments is missing", ["v": 1]),
      ("list-object", "attachments is no array", ["v": 1, "attachments": descriptor(0)]),
      ("list-null", "attachments is no array", ["v": 1, "attachments": .null]),
    ]
    return values.map { name, comment, value in
      MemberVector(id: "member-\(name)", comment: comment, value: value, isRefused: true)
    }
  }

  private func descriptor(_ index: Int) -> JSONValue {
    var object = DescriptorVectors.good
    object["url"] = .string("https://cdn.example.com/\(index)")
    return .object(object)
  }

  private func list(_ descriptors: [JSONValue]) -> JSONValue {
    ["v": 1, "attachments": .array(descriptors)]
  }
}
