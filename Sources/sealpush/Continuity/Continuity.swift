import PushEnvelope
import PushKeys
import PushPayload

/// Signed sets and registrations, with their errors in the operator's words.
enum Continuity {
  /// Does what may be refused.
  static func refusing<Result>(
    _ what: String, _ work: () throws(SignedSetError) -> Result
  ) throws(ToolError) -> Result {
    do throws(SignedSetError) {
      return try work()
    } catch {
      throw describe(error, what)
    }
  }

  /// Changes a file of registrations, or a copy of what is in it.
  static func update<Result>(
    _ path: String, isDryRun: Bool, _ change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(ToolError) -> Result {
    let file = RegistrationFile(path: path)
    do throws(RegistrationFileError) {
      guard isDryRun else { return try file.update(change) }
      var copy = try file.load()
      return try refusing("the enrolment", on: &copy, change)
    } catch {
      throw describe(error, path)
    }
  }

  /// What is wrong with a file of registrations, or with what was to be done with it.
  static func describe(_ error: RegistrationFileError, _ path: String) -> ToolError {
    switch error {
    case .file(let error): describe(error, path)
    case .line(let number, let error):
      ToolError(.badData, "\(path), line \(number): \(error.code): \(SignedSetText.describe(error))")
    case .refused(let error): describe(error, "the enrolment")
    }
  }

  /// What is wrong with a file of registrations or a signed set.
  static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    let description = Keys.describe(error, path)
    // What is advised then is for key files.
    return error == .notDurable ? ToolError(description.status, description.message) : description
  }

  private static func refusing<Result>(
    _ what: String, on copy: inout Registrations,
    _ change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(RegistrationFileError) -> Result {
    do throws(SignedSetError) {
      return try change(&copy)
    } catch {
      throw .refused(error)
    }
  }

  /// Why something is refused, with the reason as FORMAT.md writes it.
  static func describe(_ error: SignedSetError, _ what: String) -> ToolError {
    ToolError(
      .badData, "\(what) is refused: \(error.code): \(SignedSetText.describe(error))",
      hint: SignedSetText.remedy(error))
  }

  /// An enrolment from a file, or from standard input for `-`; null without a path.
  static func enrolment(_ path: String?) throws(ToolError) -> Enrolment? {
    guard let path else { return nil }
    let json = try FileInput.read(path)
    return try refusing(path) { () throws(SignedSetError) in try Enrolment(parsing: json.span) }
  }

  /// Whether there is nothing at a path, or what could be a signed set: another file is not to be lost by a slip.
  static func mayBeReplaced(_ path: String) throws(ToolError) -> Bool {
    switch PathEntry(at: path) {
    case .nothing: return true
    case .other: return false
    case .file, .link: break
    }
    let bytes: [UInt8]
    do throws(ToolError) {
      bytes = try FileInput.read(path)
    } catch {
      // Too long for any set; what cannot be read is no other file for that.
      guard error.status == .badData else { throw error }
      return false
    }
    // The first letters of a JWS: {" in base64url.
    return bytes.isEmpty || bytes.starts(with: Array("eyJ".utf8))
  }

  /// A text without the line feed at its end that a file may have.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes
  }

  /// Says which keys are in a set.
  static func list(_ keys: PublicKeySet, _ console: Console) {
    for record in keys.records {
      let made = record.life.issuedAt.seconds > 0 ? ", of \(CalendarTime.text(record.life.issuedAt))" : ""
      console.note("  \(record.life.status.rawValue) \(record.id.text)\(made)")
    }
  }

  /// The names of a set's keys.
  static func names(_ keys: PublicKeySet) -> JSONValue { .array(keys.records.map { .string($0.id.text) }) }
}
