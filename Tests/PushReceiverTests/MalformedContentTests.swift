import PushCore
import PushReceiver
import TestSupport
import Testing

/// Plaintexts that a sender with the device's key can make, and that are no content.
struct MalformedContentTests {
  private let parties = Parties()

  private func expectMalformed(_ push: IncomingPush, location: SourceLocation = #_sourceLocation) {
    let reception = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true)).reception(of: push)
    #expect(reception.outcome == .degraded(.malformedContent), sourceLocation: location)
    #expect(reception.content == .bestAttempt(push.text), sourceLocation: location)
  }

  private func plaintext(_ json: [UInt8] = Array(Draft.json.utf8), isSigned: Bool = false) throws -> [UInt8] {
    var forge = try parties.forge(Draft(isSigned: isSigned))
    forge.content = json
    return try forge.plaintext()
  }

  @Test(
    "content that is no strict JSON object with an object aps",
    arguments: [
      "", " ", "null", "1", #""x""#, "[]", "true", "{}", #"{"aps":1}"#, #"{"aps":[]}"#, #"{"aps":null}"#,
      "{", #"{"aps":{"alert":"a"}"#, #"{"aps":{"alert":"a"}}x"#, #"{"aps":{"alert":"a"}}{}"#,
      #"{"aps":{"alert":"a"},}"#, #"{"aps":{"alert":"a"},"aps":{}}"#,
      #"{"aps":{"alert":"a","\u0061lert":"b"}}"#,
      #"{"aps":{"alert":"a"},"x":{"y":1,"\u0079":2}}"#, #"{"aps":{"alert":"\ud800"}}"#,
      #"{"aps":{"alert":"a"},"x":"\udc00\ud800"}"#, "\u{feff}{\"aps\":{\"alert\":\"a\"}}",
      "{\"aps\":{\"alert\":\"a\nb\"}}", #"{'aps':{}}"#, #"{"aps":{"alert":"a"},"n":01}"#,
      #"{"aps":{"alert":"a"},"n":NaN}"#, #"{"aps":{"alert":"a"}/**/}"#,
    ])
  func noJSON(json: String) throws {
    expectMalformed(try parties.push(Draft(json: json)))
  }

  @Test(
    "bytes that are no UTF-8, also where nobody reads",
    arguments: [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] as [[UInt8]]
  )
  func noUTF8(bytes: [UInt8]) throws {
    let json = Array(#"{"aps":{"alert":"a"},"x":""#.utf8) + bytes + Array(#""}"#.utf8)
    expectMalformed(try parties.push(plaintext: try plaintext(json)))
  }

  @Test("UTF-16 is no UTF-8")
  func utf16() throws {
    let json = #"{"aps":{"alert":"a"}}"#.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    // The 0 that it ends with would be padding.
    expectMalformed(try parties.push(plaintext: try plaintext(json)))
    expectMalformed(try parties.push(plaintext: try plaintext([0xff, 0xfe] + json)))
  }

  @Test("32 levels are read, 33 are not", arguments: [30, 31, 32, 100, 1000])
  func depth(arrays: Int) throws {
    let nested = String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
    let push = try parties.push(Draft(json: #"{"aps":{"alert":"a"},"x":\#(nested)}"#))
    guard arrays > 31 else {
      #expect(parties.receiver().reception(of: push).content.body == "a")
      return
    }
    expectMalformed(push)
  }

  @Test(
    "members of aps that do not have their types",
    arguments: [
      #""badge":-1"#, #""badge":1.0"#, #""badge":1e0"#, #""badge":"1""#, #""badge":true"#, #""badge":null"#,
      #""badge":9223372036854775808"#, #""sound":1"#, #""sound":null"#, #""sound":{}"#,
      #""sound":{"name":1}"#,
      #""sound":{"name":"a","critical":true}"#, #""sound":"\u0000""#, #""category":1"#,
      #""category":"\u0000""#,
      #""thread-id":null"#, #""thread-id":"a\u0000b""#, #""target-content-id":[]"#,
      #""target-content-id":"\u0000""#,
      #""interruption-level":"loud""#, #""interruption-level":1"#, #""relevance-score":1.1"#,
      #""relevance-score":-0.1"#, #""relevance-score":true"#, #""relevance-score":1e400"#,
    ])
  func members(member: String) throws {
    expectMalformed(try parties.push(Draft(json: #"{"aps":{"alert":"a",\#(member)}}"#)))
  }

  @Test(
    "alerts that do not have their types, or no text",
    arguments: [
      "null", "1", "true", "[]", #"{"title":1}"#, #"{"title":null}"#, #"{"subtitle":1,"body":"b"}"#,
      #"{"body":["b"]}"#, #"{"title":"\u0000","body":"b"}"#, #""\u0000""#, #""""#, "{}",
      #"{"title":"","body":""}"#,
      #"{"subtitle":"s"}"#, #"{"loc-key":""}"#, #"{"loc-key":1}"#, #"{"loc-args":["a"]}"#,
    ])
  func alerts(alert: String) throws {
    expectMalformed(try parties.push(Draft(json: #"{"aps":{"alert":\#(alert)}}"#)))
  }

  @Test(
    "a notification without an alert", arguments: [#"{"aps":{}}"#, #"{"aps":{"badge":1,"sound":"default"}}"#])
  func noAlert(json: String) throws {
    expectMalformed(try parties.push(Draft(json: json)))
  }

  @Test(
    "content types and flags that mean nothing", arguments: [0x00, 0x12, 0x14, 0x18, 0x1e, 0x20, 0x30, 0xf0])
  func firstByte(byte: UInt8) throws {
    var bytes = try plaintext()
    bytes[0] = byte
    expectMalformed(try parties.push(plaintext: bytes))
  }

  @Test("a reserved flag beside the signature", arguments: [0x13, 0x15, 0x19] as [UInt8])
  func signedFlags(byte: UInt8) throws {
    var bytes = try plaintext(isSigned: true)
    bytes[0] = byte
    expectMalformed(try parties.push(plaintext: bytes))
  }

  @Test("a time from 2^53 on, a lifetime above 30 days")
  func times() throws {
    var late = try plaintext()
    late.replaceSubrange(17..<25, with: [0, 0x20, 0, 0, 0, 0, 0, 0])
    expectMalformed(try parties.push(plaintext: late))
    var long = try plaintext()
    long.replaceSubrange(25..<29, with: [0, 0x27, 0x8d, 0x01])
    expectMalformed(try parties.push(plaintext: long))
  }

  @Test(
    "padding that is none", arguments: [[], [0x01], [0x80, 0x01], [0x80, 0, 0, 0x80, 0, 1]] as [[UInt8]])
  func padding(bytes: [UInt8]) throws {
    expectMalformed(try parties.push(plaintext: Array(try plaintext().dropLast()) + bytes))
  }

  @Test("plaintexts of nothing, of zeros, and cut ones")
  func cut() throws {
    let whole = try plaintext(isSigned: true)
    let nothing: [[UInt8]] = [[], [0], [UInt8](repeating: 0, count: 256), [0x80]]
    for bytes in nothing + (0..<101).map({ Array(whole.prefix($0)) + [0x80] }) {
      expectMalformed(try parties.push(plaintext: bytes))
    }
  }

  @Test("any amount of right padding is opened", arguments: [0, 1, 2, 255, 1000])
  func anyPadding(zeros: Int) throws {
    let bytes = try plaintext(isSigned: true) + [UInt8](repeating: 0, count: zeros)
    #expect(parties.receiver().reception(of: try parties.push(plaintext: bytes)).content.body == "secret")
  }
}
