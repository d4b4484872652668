import PushKeys
import PushSealer

/// Files of recipients, with their errors in the operator's words.
enum Recipients {
  /// Reads a file.
  static func load(_ path: String) throws(ToolError) -> RecipientFile {
    do throws(RecipientFileError) {
      return try RecipientFile(path: path)
    } catch {
      switch error {
      case .unreadable(let errno):
        throw ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: errno))")
      case .line(let number, let fault):
        throw ToolError(.badData, "\(path), line \(number): \(describe(fault))")
      }
    }
  }

  private static func describe(_ fault: RecipientFileError.Fault) -> String {
    switch fault {
    case .tooLong: "longer than \(RecipientFile.maximumLineSize) bytes"
    case .json(let error): "not strict JSON: \(error)"
    case .unsupportedVersion: "written by a newer version"
    case .invalidMember(let name): "'\(name)' is missing or wrong"
    case .unknownMember(let name): "'\(name)' is not known here"
    case .keys(let error): "its keys: \(KeySetText.describe(error))"
    case .mixed: "registrations and unsigned enrolments are not for one file"
    case .registration(let error): "\(error.code): \(SignedSetText.describe(error))"
    case .duplicateName(let line): "its registration's name is in line \(line) too"
    case .duplicateToken(let line): "its token is in line \(line) too"
    case .duplicateKey(let line): "one of its keys is in line \(line) too"
    }
  }
}
