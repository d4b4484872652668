import PushTesting
import PushCore

func parse(_ text: String, maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
  try parse(Array(text.utf8), maximumDepth: maximumDepth)
}

func parse(_ bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
  try JSONValue(parsing: bytes.span, maximumDepth: maximumDepth)
}

func print(_ value: JSONValue) -> String {
  String(decoding: value.encoded(), as: UTF8.self)
}

func notification(_ text: String) throws(PayloadError) -> RemoteNotification {
  let bytes = Array(text.utf8)
  return try RemoteNotification(parsing: bytes.span)
}

/// One document that has every kind of token.
let sampleDocument = """
  {"aps":{"alert":{"title":"Grüße 👋","body":"a\\"b\\\\c\\/d\\n\\u00e9\\ud83d\\ude00"},"badge":3,"sound":\
  {"critical":1,"name":"x","volume":0.5}},"n":[0,-0,1.5,-2.5e+10,1E-3,12345678901234567890],"b":[true,false,null],\
  "o":{"":{}},"e":[[],{}]}
  """

extension SeededGenerator {
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &self))
    case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &self)))
    case 3: return .number(finiteNumber())
    case 4: return .string(text())
    case 5: return .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in value(depth: depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<24, using: &self) {
        object[text()] = value(depth: depth - 1)
      }
      return .object(object)
    }
  }

  mutating func finiteNumber() -> JSONNumber {
    while true {
      if let number = JSONNumber(Double(bitPattern: next())) { return number }
    }
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<8, using: &self) {
      let limit: UInt32 = [0x20, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &self) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &self)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
