/// SealedPush's answer to a question: bytes in hexadecimal, or the reason for a refusal.
struct Answer: Encodable {
  private var accepted: [String]?
  private var refused: String?

  /// Answers a question.
  init(to question: Question) {
    do {
      accepted = try Self.outputs(of: question).map(Self.hexadecimal)
    } catch {
      refused = "\(error)"
    }
  }

  private static func outputs(of question: Question) throws -> [[UInt8]] {
    switch question.kind {
    case .json: [try Texts.json(question)]
    case .jsonSkipped: try Texts.jsonSkipped(question)
    case .base64URLEncode: [Texts.base64URL(question)]
    case .base64URLAppend: [Texts.base64URLAppended(question)]
    case .base64URLDecode: [try Texts.bytes(question)]
    case .base64URLBytewise: [try Texts.bytesOneByOne(question)]
    case .thumbprints: try Texts.thumbprints(question)
    case .aeadSeal: [try Ciphers.seal(question)]
    case .aeadOpen: [try Ciphers.open(question)]
    case .hpkeSeal: try Ciphers.hpkeSeal(question)
    case .hpkeOpen: [try Ciphers.hpkeOpen(question)]
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
