/// A fault that a signed set may have, whoever signed it.
struct SetFault {
  let name: String
  let rule: String
  let reason: String
  let comment: String
  let change: (inout SignedSetForge) -> Void

  init(
    _ name: String, _ rule: String, _ reason: String, _ comment: String,
    _ change: @escaping (inout SignedSetForge) -> Void
  ) {
    self.name = name
    self.rule = rule
    self.reason = reason
    self.comment = comment
    self.change = change
  }

  /// The faults that both a sender's and a device's set may have.
  static var common: [SetFault] { form + header + algorithm + signature + claims + numbers + json }

  /// [11.2].
  private static var form: [SetFault] {
    func form(_ name: String, _ comment: String, _ change: @escaping ([String]) -> [String]) -> SetFault {
      SetFault("jws-\(name)", "11.2", "malformed-jws", comment) { $0.changeParts = change }
    }
    return [
      form("two-parts", "no signature") { Array($0.dropLast()) },
      form("four-parts", "a part too many") { $0 + [$0[2]] },
      form("header-empty", "the first part is empty") { ["", $0[1], $0[2]] },
      form("payload-empty", "detached: the second part is empty") { [$0[0], "", $0[2]] },
      form("signature-empty", "the third part is empty") { [$0[0], $0[1], ""] },
      form("padding", "a padding character at the end") { [$0[0], $0[1], $0[2] + "=="] },
      form("line-feed", "a line feed at the end") { [$0[0], $0[1], $0[2] + "\n"] },
      form("space", "a space before it") { [" " + $0[0], $0[1], $0[2]] },
      form("plus", "a character of the standard alphabet") { [$0[0], $0[1], "+" + $0[2].dropFirst()] },
      form("slash", "the other one of the standard alphabet") { [$0[0], $0[1], "/" + $0[2].dropFirst()] },
      form("non-ascii", "a full-width letter") { [$0[0], $0[1], "Ａ" + $0[2].dropFirst()] },
      form("length", "a length that no bytes have") { [$0[0], $0[1], $0[2] + "AAA"] },
      form("trailing-bits", "bits that belong to no byte") { [$0[0], $0[1], $0[2].dropLast() + "B"] },
      SetFault("jws-json", "11.2", "malformed-jws", "the JSON serialization, which is no compact one") {
        $0.changeText = { text in
          let parts = text.split(separator: ".").map(String.init)
          return #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
        }
      },
    ]
  }

  /// The first and the last part of [11.3].
  private static var header: [SetFault] {
    func header(_ name: String, _ comment: String, _ change: @escaping (inout RawObject) -> Void) -> SetFault
    {
      SetFault("header-\(name)", "11.3", "malformed-header", comment) { change(&$0.header) }
    }
    func bytes(_ name: String, _ comment: String, _ change: @escaping ([UInt8]) -> [UInt8]) -> SetFault {
      SetFault("header-\(name)", "11.3", "malformed-header", comment) {
        $0.changeHeader = { change(Array($0.text.utf8)) }
      }
    }
    return [
      bytes("array", "the header in an array") { Array("[".utf8) + $0 + Array("]".utf8) },
      bytes("bom", "a byte order mark") { [0xef, 0xbb, 0xbf] + $0 },
      bytes("not-utf-8", "a member whose name is no UTF-8") {
        $0.dropLast() + Array(",\"".utf8) + [0xff] + Array("\":1}".utf8)
      },
      bytes("cut", "no JSON: the last byte is gone") { $0.dropLast() },
      header("alg-twice", "`alg` twice, the second one as an escape") {
        $0.append("\\u0061lg", "EdDSA".quoted)
      },
      header("crit", "RFC 7797's unencoded payload") {
        $0.append("b64", "true")
        $0.append("crit", #"["b64"]"#)
      },
      header("cty", "a member more, which changes nothing") { $0.append("cty", "jwk-set+json".quoted) },
    ]
  }

  private static var algorithm: [SetFault] {
    func member(_ name: String, _ value: String?, _ id: String, _ comment: String) -> SetFault {
      let reason = name == "alg" ? "unsupported-algorithm" : "wrong-type"
      return SetFault("\(name)-\(id)", "11.3", reason, comment) { $0.header[name] = value }
    }
    return [
      member("alg", "none".quoted, "none", "no algorithm"),
      member("alg", "Ed25519".quoted, "ed25519", "RFC 9864's name of the same"),
      member("alg", "HS256".quoted, "hs256", "a MAC"),
      member("alg", "eddsa".quoted, "lower-case", "in lower case"),
      member("alg", #"["EdDSA"]"#, "array", "in an array"),
      member("alg", nil, "absent", "no `alg`"),
      member("typ", "JWT".quoted, "jwt", "another type"),
      member("typ", "Sealed-Push-Keys+JWS".quoted, "case", "in other letters"),
      member("typ", "application/sealed-push-keys+jws".quoted, "prefix", "the media type in full"),
      member("typ", "1", "number", "no string"),
      member("typ", nil, "absent", "no `typ`"),
    ]
  }

  /// [11.5].
  private static var signature: [SetFault] {
    func signature(
      _ name: String, _ comment: String, _ change: @escaping ([UInt8]) -> [UInt8]
    ) -> SetFault {
      SetFault("signature-\(name)", "11.5", "bad-signature", comment) { $0.changeSignature = change }
    }
    func parts(_ name: String, _ comment: String, _ change: @escaping ([String]) -> [String]) -> SetFault {
      SetFault("signature-\(name)", "11.5", "bad-signature", comment) { $0.changeParts = change }
    }
    return [
      signature("flipped", "a bit of R") { [$0[0] ^ 1] + $0.dropFirst() },
      signature("63-bytes", "the last byte is gone") { $0.dropLast() },
      signature("65-bytes", "a byte more") { $0 + [0] },
      signature("zero", "no signature at all") { [UInt8](repeating: 0, count: $0.count) },
      SetFault(
        "signature-r-identity", "11.5", "bad-signature", "R of small order, and S right for it"
      ) { $0.forged = .identity },
      SetFault(
        "signature-r-part-of-order-8", "11.5", "bad-signature",
        "an R that has a part of order 8: the equation with the cofactor holds"
      ) { $0.forged = .partOfOrder8 },
      signature("s-plus-l", "S + L, which satisfies the equation too") {
        $0.prefix(32) + DegradedVectors.addingGroupOrder(Array($0.suffix(32)))
      },
      parts("other-payload", "the payload was changed after it was signed") {
        [$0[0], replacing($0[1], "1795000000", by: "1795000001"), $0[2]]
      },
      parts("other-header", "the header was changed after it was signed") {
        [Base64URLText.encode(" " + Base64URLText.decode($0[0])), $0[1], $0[2]]
      },
      SetFault(
        "signature-order", "11.5", "bad-signature", "a wrong signature of wrong claims: it comes first"
      ) {
        $0.claims["v"] = "2"
        $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
      },
    ]
  }

  private static func replacing(_ part: String, _ old: String, by new: String) -> String {
    Base64URLText.encode(
      Base64URLText.decode(part).split(separator: old, omittingEmptySubsequences: false).joined(
        separator: new))
  }
}
