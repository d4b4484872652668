import PushCore
import PushKeys
import PushReceiver
import TestSupport

/// Payloads that open, where it is easy to think that they should not, or to show something else.
struct EdgeVectors {
  let keys: VectorKeys
  let edgeKeys: EdgeKeys

  func all() throws -> [OpenedVector] {
    try (sounds() + values() + texts() + numbers() + members()).map { name, comment, content in
      try opened(name, comment) { $0.content = Array(content.utf8) }
    } + anonymous() + lives() + times() + memory()
  }

  private typealias Content = (name: String, comment: String, content: String)

  private static func alert(_ more: String) -> String { #"{"aps":{"alert":"B",\#(more)}}"# }

  private static func custom(_ more: String) -> String { #"{"aps":{"alert":"B"},\#(more)}"# }

  private func sounds() -> [Content] {
    [
      ("critical-0", "critical, and it says no", #""critical":0,"volume":0.5"#),
      ("critical-only", "a critical sound without a volume has none", #""critical":1"#),
      ("volume-1", "the greatest volume", #""critical":1,"volume":1"#),
      ("volume-minus-0", "-0 is a volume of zero", #""critical":1,"volume":-0"#),
      ("volume-0e5", "zero, whatever its exponent", #""critical":1,"volume":0e5"#),
      ("volume-ordinary", "an ordinary sound has no volume", #""volume":0.5"#),
    ].map { ($0, $1, Self.alert(#""sound":{"name":"s",\#($2)}"#)) } + [
      ("sound-empty", "an empty name is a name", Self.alert(#""sound":"""#))
    ]
  }

  private func values() -> [Content] {
    [
      ("badge-most", "the greatest badge", #""badge":9223372036854775807"#),
      ("score-just-above-1", "a score that as a double is 1", #""relevance-score":1.00000000000000000001"#),
      ("score-minus-0", "a score of -0.0 is zero", #""relevance-score":-0.0"#),
      ("score-1e-320", "a double close to zero", #""relevance-score":1e-320"#),
    ].map { ($0, $1, Self.alert($2)) }
  }

  private func texts() -> [Content] {
    [
      (
        "subtitle-loc-key", "a key stands for an empty subtitle",
        #"{"aps":{"alert":{"body":"B","subtitle":"","subtitle-loc-key":"K"}}}"#
      ),
      ("loc-key-nul", "U+0000 in a key to be localized", #"{"aps":{"alert":{"loc-key":"a\u0000"}}}"#),
      (
        "loc-key-number", "a key that is no string is as absent",
        #"{"aps":{"alert":{"body":"B","title-loc-key":7}}}"#
      ),
      ("line-separator", "U+2028 and U+007F as they are", "{\"aps\":{\"alert\":\"\u{2028}\u{7f}\"}}"),
    ]
  }

  private func numbers() -> [Content] {
    [
      (
        "integers-64", "the bounds of 64 bits, and one below",
        #""a":-9223372036854775808,"b":-9223372036854775809,"c":9223372036854775807"#
      ),
      (
        "zeros", "-0 and what no double holds are strings; -0.0, 0.0 and 0e9 are doubles",
        #""a":-0,"b":-0.0,"c":0.0,"d":0e9,"e":1e-400,"f":-1e400"#
      ),
      ("exponent-long", "an exponent with zeros before it", #""a":1e00000000000000000000000001"#),
    ].map { ($0, $1, Self.custom($2)) }
  }

  private func members() -> [Content] {
    [
      (
        "reserved-deep", "the reserved names are taken out at the top level alone",
        #""ENCRYPTED_DATA":"AQ","sealed-push":{},"a":{"ENCRYPTED_DATA":1,"sealed-push":2}"#
      ),
      ("prototype", "names that mean something to some languages", #""__proto__":{"a":1},"constructor":2"#),
      ("numbers-as-names", "names that some languages sort", #""2":1,"10":2,"1":3"#),
      ("surrogates-escaped", "a pair of escapes is one character", #""a":"\ud83d\ude00""#),
    ].map { ($0, $1, Self.custom($2)) }
  }

  /// Who breaks through a person's silence must be known.
  private func anonymous() throws -> [OpenedVector] {
    try ["passive", "time-sensitive", "critical"].map { level in
      try opened(
        "anonymous-\(level)", "what this level becomes in a message that nobody signed", isSigned: false
      ) {
        $0.content = Array(Self.alert(#""interruption-level":"\#(level)""#).utf8)
      }
    }
  }

  private func lives() throws -> [OpenedVector] {
    func at(_ second: Int64, _ name: String, _ comment: String, sender: Bool) throws -> OpenedVector {
      var vector = try opened(name, comment) {
        if sender { $0.signer = edgeKeys.signer } else { $0.recipient = edgeKeys.recipient }
      }
      vector.now = UnixTime(clamping: second)
      return vector
    }
    return [
      try at(EdgeKeys.begin, "sender-first-second", "the first second of the sender's key", sender: true),
      try at(EdgeKeys.end, "sender-last-second", "the last second of the sender's key", sender: true),
      try at(
        EdgeKeys.begin - 1, "device-nbf-to-come", "a device's nbf means nothing: its key opens before",
        sender: false),
      try at(EdgeKeys.end, "device-last-second", "the last second of the device's key", sender: false),
    ]
  }

  private func times() throws -> [OpenedVector] {
    func at(
      _ second: UInt64, issued: UInt64, _ name: String, _ comment: String
    ) throws -> OpenedVector {
      var vector = try opened(name, comment) { ($0.issuedAt, $0.lifetime) = (issued, 0) }
      vector.now = UnixTime(clamping: Int64(second))
      return vector
    }
    return [
      try at(300, issued: 0, "time-epoch", "issued at the epoch, at the last second"),
      try at(0, issued: 300, "time-clock-at-epoch", "issued 300 seconds ahead of a clock at the epoch"),
      try at(
        1 << 53 - 1, issued: 1 << 53 - 1, "time-latest", "issued at the last second that there is"),
    ]
  }

  /// The memory tells messages apart by who sealed them, too.
  private func memory() throws -> [OpenedVector] {
    func after(
      _ name: String, _ comment: String, isSigned: Bool = false, isDuplicate: Bool = false,
      _ first: (inout Forge) throws -> Void, _ second: (inout Forge) throws -> Void
    ) throws -> OpenedVector {
      var earlier = try forge("edge-\(name)-before", isSigned: true)
      earlier.messageID = Forge.messageID(of: "edge-\(name)")
      try first(&earlier)
      var vector = try opened(name, comment, isSigned: isSigned, second)
      vector.after = try earlier.payload()
      vector.isDuplicate = isDuplicate
      return vector
    }
    let another = Array(#"{"aps":{"alert":"Another"}}"#.utf8)
    let sound = Self.alert(#""sound":"bell.aiff""#)
    let critical = Self.alert(#""sound":{"name":"alarm.aiff","critical":1,"volume":1}"#)
    var atBegin = try after(
      "memory-other-sender", "another sender's message under the same id", isSigned: true, { _ in }
    ) { ($0.content, $0.signer) = (another, edgeKeys.signer) }
    atBegin.now = UnixTime(clamping: EdgeKeys.begin)
    return [
      try after("memory-anonymous", "an anonymous message under a signed one's id", { _ in }) {
        $0.content = another
      },
      atBegin,
      try after(
        "memory-other-recipient", "an anonymous message under the same id to another key", { $0.signer = nil }
      ) { ($0.content, $0.recipient) = (another, try keys.recipient(.p256AESGCM)) },
      try after(
        "memory-sealed-anew", "the same message, sealed anew with more time", isSigned: true,
        isDuplicate: true,
        { $0.lifetime = 3600 }
      ) { _ in },
      try after(
        "memory-sound", "the same message again, which is shown without its sound", isSigned: true,
        isDuplicate: true, { $0.content = Array(sound.utf8) }
      ) { $0.content = Array(sound.utf8) },
      try after(
        "memory-sound-critical", "and without a critical one", isSigned: true, isDuplicate: true,
        { $0.content = Array(critical.utf8) }
      ) { $0.content = Array(critical.utf8) },
      try after(
        "memory-sealed-anew-anonymous", "the same, and nobody signed", isDuplicate: true, { $0.signer = nil }
      ) { _ in },
    ]
  }

  private func forge(_ label: String, isSigned: Bool) throws -> Forge {
    Forge(
      label, to: try keys.recipient(.x25519ChaChaPoly), from: isSigned ? try keys.sender.signingKey() : nil)
  }

  private func opened(
    _ name: String, _ comment: String, isSigned: Bool = true, _ change: (inout Forge) throws -> Void
  ) throws -> OpenedVector {
    var forge = try forge("edge-\(name)", isSigned: isSigned)
    try change(&forge)
    return OpenedVector(
      id: forge.label, comment: comment, forge: forge, padding: "other", limit: 4096,
      payload: try forge.payload())
  }
}
