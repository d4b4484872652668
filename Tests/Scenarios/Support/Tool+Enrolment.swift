import Testing

/// A device that enrols, and a backend that has its keys proven.
extension Tool {
  /// The backend's name.
  static let audience = "--audience https://push.example.com"

  /// What a backend gives with each enrolment.
  static let backend = "\(audience) --from sender.jwks"

  /// Makes the sender that signs proof requests, if it is not there.
  func makeSender() async throws {
    guard try !names.contains("sender.jwks") else { return }
    try await succeed("keys new --role sender --out sender.jwks --now \(start)")
    try await succeed("keys export --keys sender.jwks --out sender.pub.jwks")
  }

  /// Has the backend take an enrolment, and the device prove what it is asked to; what the backend said last.
  @discardableResult
  func register(
    _ enrolment: [UInt8], accept: String, enrol: String, at now: Int = start,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let request = "\(scratch)/request"
    let first = try await run("\(accept) --request \(request) --force --now \(now)", input: .bytes(enrolment))
    guard first.status == 75 else {
      try #require(first.status == 0, "\(accept): \(first.errors)", sourceLocation: sourceLocation)
      return first
    }
    let answer = try await succeed("\(enrol) --answer \(request) --senders sender.pub.jwks --now \(now)")
    return try await succeed("\(accept) --now \(now)", input: .bytes(answer.output))
  }
}
