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
      switch error {
      case .file(let error): throw Keys.describe(error, path)
      case .line(let number, let error):
        throw ToolError(.badData, "\(path), line \(number): \(error.code): \(SignedSetText.describe(error))")
      case .refused(let error): throw describe(error, "the enrolment")
      }
    }
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

  /// A text without the line feed at its end that a file may have.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes
  }

  /// The names of a set's keys.
  static func names(_ keys: PublicKeySet) -> JSONValue { .array(keys.records.map { .string($0.id.text) }) }
}
