import PushCore
import PushFiles
import PushEnrolment
import PushKeys

/// Reads and changes signed sets and registrations, and turns their errors into messages.
enum Continuity {
  /// Runs work that may be refused, and describes the refusal.
  static func refusing<Result>(
    _ what: String, work: () throws(SignedSetError) -> Result
  ) throws(ToolError) -> Result {
    do throws(SignedSetError) {
      return try work()
    } catch {
      throw SignedSetText.refusal(for: error, of: what)
    }
  }

  /// Changes a file of registrations, or a copy of what is in it.
  static func update<Result>(
    _ path: String, isDryRun: Bool, change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(ToolError) -> Result {
    let file = RegistrationFile(path: path, services: PushService.every)
    do throws(RegistrationFileError) {
      guard isDryRun else { return try file.update(change) }
      var copy = try file.load()
      return try refusing(path, on: &copy, change: change)
    } catch {
      throw SignedSetText.failure(for: error)
    }
  }

  private static func refusing<Result>(
    _ path: String, on copy: inout Registrations,
    change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(RegistrationFileError) -> Result {
    do throws(SignedSetError) {
      return try change(&copy)
    } catch {
      throw .refused(error, path: path)
    }
  }

  /// An enrolment from a file, or from standard input for `-`; nil without a path.
  static func enrolment(at path: String?) throws(ToolError) -> Enrolment? {
    guard let path else { return nil }
    let json = try FileInput.read(from: path)
    return try refusing(path) { () throws(SignedSetError) in
      try Enrolment(verifying: json.span, services: PushService.every)
    }
  }

  /// Whether a path is free, or has what could be a signed set: a mistyped path must not cost another file.
  static func mayBeReplaced(_ path: String) throws(ToolError) -> Bool {
    guard let status = FileStatus(at: path, isFollowingLinks: false) else { return true }
    guard [nil, .symbolicLink].contains(status.kind) else { return false }
    let bytes: [UInt8]
    do throws(ToolError) {
      bytes = try FileInput.read(from: path)
    } catch {
      // Too long for any set. A file that cannot be read may still be one.
      guard error.status == .badData else { throw error }
      return false
    }
    return bytes.isEmpty || bytes.starts(with: objectStart)
  }

  /// Whether a text is a compact JWS, as a signed set is: three parts in base64url, the first of which is an object.
  static func isSigned(_ bytes: [UInt8]) -> Bool {
    let parts = text(of: bytes).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return bytes.starts(with: objectStart) && parts.count == 3
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isBase64URL) }
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The first characters of a JWS: {" in base64url.
  private static let objectStart = Array("eyJ".utf8)

  /// A text without the line feed that may end a file.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes
  }

  /// Lists the keys of a set.
  static func list(_ keys: PublicKeySet, console: Console) {
    for record in keys.records {
      let made = record.life.issuedAt.seconds > 0 ? ", of \(record.life.issuedAt.calendarText)" : ""
      console.note("  \(record.life.status.rawValue) \(record.id.text)\(made)")
    }
  }

  /// The names of a set's keys.
  static func names(of keys: PublicKeySet) -> JSONValue { .array(keys.records.map { .string($0.id.text) }) }
}
