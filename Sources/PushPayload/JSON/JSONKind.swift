/// The type of a JSON value, as its first byte tells it.
package enum JSONKind: Sendable {
  case null, boolean, number, string, array, object

  init?(firstByte: UInt8) {
    switch firstByte {
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "{"): self = .object
    default: return nil
    }
  }
}
