import Testing

/// A file of Project Wycheproof, reduced to what the tests read.
struct WycheproofFile<Case: Decodable & Sendable>: Decodable, Sendable {
  let tests: [Case]

  static func load(_ name: String) throws -> [Case] {
    let file: Self = try VectorFile.load(name)
    return file.tests
  }
}

/// Wycheproof's verdict on a case.
///
/// `acceptable` leaves the verdict to the implementation's policy.
enum WycheproofResult: String, Decodable, Sendable {
  case valid, invalid, acceptable
}

/// A case of a key agreement.
struct AgreementCase: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let flags: [String]
  let `public`: Hex
  let `private`: Hex
  let shared: Hex
  let result: WycheproofResult

  var testDescription: String { "\(tcId) \(comment)" }

  static func load(_ file: String) throws -> [AgreementCase] { try WycheproofFile<AgreementCase>.load(file) }
}
