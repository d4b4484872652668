internal import PushEnvelope
internal import PushFiles

/// Registrations in a file, a line of JSON each, for tests and small services.
///
/// Each change writes the file anew, whole or not at all, under a lock; each reading checks every signature. It is a
/// file of recipients for `PushSealer`, too.
public struct RegistrationFile: Sendable {
  /// The longest file, in bytes: 64 MiB.
  public static let maximumSize = 1 << 26

  private let file: SmallFile

  /// Names a file, and touches nothing yet.
  public init(path: String) {
    file = SmallFile(path: path, maximumSize: Self.maximumSize, patience: .seconds(10))
  }

  /// Reads the registrations; none if there is no file.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func load() throws(RegistrationFileError) -> Registrations {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      throw .file(KeyFileError(error))
    }
    return try Self.parse(bytes)
  }

  /// Changes the registrations under the lock, and makes the file if there is none.
  ///
  /// If `change` throws, or changes nothing, the file stays as it is.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func update<Result>(
    _ change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(RegistrationFileError) -> Result {
    let outcome: Swift.Result<Result, RegistrationFileError>
    do throws(FileError) {
      outcome = try file.update { (bytes) throws(FileError) in Self.apply(change, to: bytes) }
    } catch {
      throw .file(KeyFileError(error))
    }
    return try outcome.get()
  }

  /// The new bytes, if there are any, and what became of it.
  private static func apply<Result>(
    _ change: (inout Registrations) throws(SignedSetError) -> Result, to bytes: [UInt8]?
  ) -> (bytes: [UInt8]?, result: Swift.Result<Result, RegistrationFileError>) {
    do throws(RegistrationFileError) {
      var registrations = try parse(bytes)
      let before = registrations.all
      let result: Result
      do throws(SignedSetError) {
        result = try change(&registrations)
      } catch {
        throw .refused(error)
      }
      return (registrations.all == before ? nil : encode(registrations), .success(result))
    } catch {
      return (nil, .failure(error))
    }
  }

  private static func parse(_ bytes: [UInt8]?) throws(RegistrationFileError) -> Registrations {
    var registrations = Registrations()
    let lines = (bytes ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !(line.isEmpty && index == lines.count - 1) {
      let text = Array(line)
      do throws(SignedSetError) {
        try registrations.append(try Registration(parsing: text.span))
      } catch {
        throw .line(index + 1, error)
      }
    }
    return registrations
  }

  private static func encode(_ registrations: Registrations) -> [UInt8] {
    registrations.all.flatMap { $0.encoded() + [UInt8(ascii: "\n")] }
  }
}

/// Why a file of registrations cannot be used or changed.
public enum RegistrationFileError: Error, Equatable, Sendable {
  /// The file cannot be read or written.
  case file(KeyFileError)
  /// A line is wrong; the first one is 1.
  case line(Int, SignedSetError)
  /// The change is refused.
  case refused(SignedSetError)
}
