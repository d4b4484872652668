import PushAttachments
import PushCore

/// A file as a vector states it.
enum VectorFile {
  case bytes([UInt8])
  /// One byte again and again, so that the vector stays small.
  case repeated(UInt8, count: Int)

  var bytes: [UInt8] {
    switch self {
    case .bytes(let bytes): bytes
    case .repeated(let byte, let count): [UInt8](repeating: byte, count: count)
    }
  }
}

/// A blob with its descriptor, and the file or the fault.
struct BlobVector {
  enum Expectation {
    /// The file, the blob's salt, and whether a sealer makes the same blob of them.
    case opened(VectorFile, salt: [UInt8], isSealers: Bool)
    /// The rule that is broken, and the reason.
    case refused(rule: String, AttachmentError)
  }

  let id: String
  let comment: String
  let descriptor: JSONObject
  let blob: [UInt8]
  let expect: Expectation

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    if case .refused(let rule, _) = expect { object["rule"] = .string(rule) }
    object["comment"] = .string(comment)
    object["descriptor"] = .string(descriptor.text)
    switch expect {
    case .refused(_, let error):
      object["expect"] = .string(error.code)
    case .opened(let file, let salt, let isSealers):
      object["padding"] = isSealers ? "none" : "other"
      object["salt"] = .string(Base64URL.encode(salt.span))
      switch file {
      case .bytes(let bytes): object["file"] = .string(Base64URL.encode(bytes.span))
      case .repeated(let byte, let count):
        object["fileRepeat"] = ["byte": .number(JSONNumber(Int(byte))), "count": .number(JSONNumber(count))]
      }
      object["expect"] = "opened"
    }
    object["blob"] = .string(Base64URL.encode(blob.span))
    return object
  }
}

/// A descriptor, or what stands in its place.
struct DescriptorVector {
  let id: String
  let comment: String
  let value: JSONValue
  /// The rule that is broken, and the reason; null: it is accepted.
  var fault: (rule: String, error: AttachmentError)?

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    object["rule"] = fault.map { .string($0.rule) }
    object["comment"] = .string(comment)
    object["descriptor"] = .string(String(decoding: value.encoded(), as: UTF8.self))
    object["expect"] = .string(fault?.error.code ?? "accepted")
    return object
  }
}

/// What a content has under `sealed-push`.
struct MemberVector {
  let id: String
  let comment: String
  let value: JSONValue
  /// What comes of each descriptor that is looked at: null where it is accepted.
  var expect: [AttachmentError?] = []
  /// Whether it is no list of attachments at all.
  var isRefused = false

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    if isRefused { object["rule"] = "10.1" }
    object["comment"] = .string(comment)
    object["member"] = .string(String(decoding: value.encoded(), as: UTF8.self))
    object["expect"] = .array(expect.map { .string($0?.code ?? "accepted") })
    return object
  }
}

/// An address, and the rule that it breaks, if any.
struct AddressVector {
  let url: String
  let comment: String
  var rule: String?

  var json: JSONObject {
    var object: JSONObject = ["url": .string(url)]
    object["rule"] = rule.map(JSONValue.string)
    object["comment"] = .string(comment)
    object["expect"] = .string(rule == nil ? "accepted" : "invalid-url")
    return object
  }
}
