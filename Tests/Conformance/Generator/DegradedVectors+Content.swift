import PushCore
import PushKeys
import PushReceiver
import TestSupport
import Testing

extension DegradedVectors {
  func contentFaults() throws -> [DegradedVector] {
    try syntaxFaults() + shapeFaults() + valueFaults() + textlessContents()
  }

  private func content(
    _ id: String, _ rule: String, _ comment: String, _ content: [UInt8]
  ) throws -> DegradedVector {
    try faulty(id, rule, .malformedContent, comment) { $0.content = content }
  }

  private func syntaxFaults() throws -> [DegradedVector] {
    let alert = #"{"aps":{"alert":"B"}"#
    let faults: [(String, String, [UInt8])] = [
      ("empty", "no content", []), ("text", "no JSON", Array("Lunch at noon?".utf8)),
      ("cut", "the last brace is gone", Array(alert.utf8)),
      ("trailing-comma", "a comma before the brace", Array((alert + ",}").utf8)),
      ("trailing-bytes", "something after the value", Array((alert + "}x").utf8)),
      ("duplicate", "a member twice", Array((alert + #","x":1,"x":1}"#).utf8)),
      ("duplicate-escaped", "a member twice, once escaped", Array((alert + #","a":1,"\u0061":2}"#).utf8)),
      ("lone-surrogate", "half a character", Array((alert + #","x":"\ud800"}"#).utf8)),
      ("lone-low-surrogate", "the other half of a character", Array((alert + #","x":"\udc00"}"#).utf8)),
      ("bom", "a byte order mark", [0xef, 0xbb, 0xbf] + Array((alert + "}").utf8)),
      (
        "invalid-utf8", "a byte that is no character",
        Array((alert + #","x":""#).utf8) + [0xff] + Array(#""}"#.utf8)
      ),
      (
        "overlong", "a slash in two bytes",
        Array((alert + #","x":""#).utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)
      ),
      (
        "depth-33", "containers too deep",
        Array(
          (alert + #","x":"# + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}")
            .utf8)
      ),
      ("control", "a raw line break in a string", Array((alert + ",\"x\":\"\n\"}").utf8)),
      ("number", "a leading zero", Array((alert + #","x":01}"#).utf8)),
      ("nan", "not a number", Array((alert + #","x":NaN}"#).utf8)),
    ]
    return try faults.map { name, comment, bytes in try content("json-\(name)", "6.1", comment, bytes) } + [
      try faulty(
        "json-empty-anonymous", "6.1", .malformedContent, "no content, and nobody signed: the fewest bytes",
        isSigned: false
      ) { $0.content = [] }
    ]
  }

  private func shapeFaults() throws -> [DegradedVector] {
    let faults = [
      ("array", "an array", #"[{"aps":{"alert":"B"}}]"#), ("string", "a string", #""B""#),
      ("null", "null", "null"),
      ("no-aps", "no aps", #"{"alert":"B"}"#), ("aps-array", "aps is an array", #"{"aps":[]}"#),
    ]
    return try faults.map { name, comment, text in
      try content("content-\(name)", "6.2", "\(comment), and not an object with aps", Array(text.utf8))
    }
  }

  private func valueFaults() throws -> [DegradedVector] {
    let faults = [
      ("alert-number", #""alert":5"#), ("title-null", #""alert":{"title":null,"body":"B"}"#),
      ("title-nul", #""alert":{"title":"A\u0000B","body":"B"}"#),
      ("badge-string", #""alert":"B","badge":"3""#),
      ("badge-negative", #""alert":"B","badge":-1"#), ("badge-fraction", #""alert":"B","badge":1.0"#),
      ("badge-true", #""alert":"B","badge":true"#), ("sound-number", #""alert":"B","sound":1"#),
      ("sound-nameless", #""alert":"B","sound":{"critical":1}"#),
      ("level-unknown", #""alert":"B","interruption-level":"loud""#),
      ("score-above-1", #""alert":"B","relevance-score":1.1"#),
      ("score-string", #""alert":"B","relevance-score":"1""#),
      ("category-array", #""alert":"B","category":[]"#), ("thread-number", #""alert":"B","thread-id":7"#),
    ]
    return try faults.map { name, members in
      try content(
        "aps-\(name)", "6.3", "a member of aps has not its type", Array("{\"aps\":{\(members)}}".utf8))
    }
  }

  private func textlessContents() throws -> [DegradedVector] {
    let contents = [
      ("no-alert", #"{"aps":{"badge":3}}"#), ("empty-texts", #"{"aps":{"alert":{"title":"","body":""}}}"#),
      ("subtitle-alone", #"{"aps":{"alert":{"subtitle":"S"}}}"#),
    ]
    return try contents.map { name, text in
      try content(
        "text-\(name)", "6.4", "nothing to show, so that iOS would show the original", Array(text.utf8))
    }
  }
}
