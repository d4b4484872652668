import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Where a passphrase is, as options name it.
enum PassphraseSource {
  case file(String)
  case descriptor(Int32)

  /// Reads a pair of options such as `--passphrase-file` and `--passphrase-fd`; nil if neither is given.
  init?(from arguments: Arguments, option: SourceOptions = .passphrase) throws(ToolError) {
    let (file, descriptor) = (option.file.name, option.descriptor.name)
    switch (arguments[option.file], arguments[option.descriptor]) {
    case (nil, nil): return nil
    case ("-", nil): throw .usage("\(file) must be a file", hint: "standard input is \(descriptor) 0")
    case (let path?, nil): self = .file(path)
    case (nil, let text?):
      guard let number = TimeSpan.number(in: text[...]).flatMap(Int32.init(exactly:)) else {
        throw .usage("\(descriptor) must be an open file descriptor, such as 3, not '\(text)'")
      }
      self = .descriptor(number)
    default: throw .usage("give either \(file) or \(descriptor)")
    }
  }

  /// Reads the first line.
  func read() throws(ToolError) -> Passphrase {
    switch self {
    case .file(let path): return try Self.read(from: path)
    case .descriptor(let number):
      guard GivenDescriptor.isStream(number) else {
        throw ToolError(.noInput, "cannot read a passphrase from descriptor \(number): it is not open")
      }
      try Self.refuseTerminal(number, name: "descriptor \(number)")
      return try Self.readLine(from: number, name: "descriptor \(number)")
    }
  }

  private static func read(from path: String) throws(ToolError) -> Passphrase {
    let file = try FileInput.open(path)
    guard GivenDescriptor.isStream(file.number), let status = try? file.status else {
      throw ToolError(.noInput, "\(path) cannot hold a passphrase: it is not a file or a pipe")
    }
    guard status.isClosedToOthers else {
      throw KeyFileFailure.describe(KeyFileError(.tooPermissive(mode: status.permissions), path: path))
    }
    guard status.isOwn || status.isRoots else {
      throw ToolError(.noPermission, "\(path) belongs to another user")
    }
    try refuseTerminal(file.number, name: path)
    return try readLine(from: file.number, name: path)
  }

  /// Rejects a terminal, which would show what is typed.
  private static func refuseTerminal(_ file: Int32, name: String) throws(ToolError) {
    guard isatty(file) == 0 else {
      throw .usage("\(name) is a terminal", hint: "leave the option out to be asked")
    }
  }

  /// Reads a line from a descriptor, which errors call `name`.
  static func readLine(from descriptor: Int32, name: String) throws(ToolError) -> Passphrase {
    do throws(PassphraseError) {
      return try Passphrase(readingLineFrom: descriptor)
    } catch {
      switch error {
      case .empty: throw ToolError(.badData, "the passphrase is missing in the first line of \(name)")
      case .tooLong:
        throw ToolError(.badData, "the first line of \(name) is longer than \(Passphrase.maximumSize) bytes")
      case .system(let errno):
        throw ToolError(.noInput, "cannot read \(name): \(SystemMessage.text(of: errno))")
      }
    }
  }
}

extension Parameter {
  /// The passphrase of the key files that a command opens, without a terminal.
  package static let passphrase: [Parameter] = [
    .optional(SourceOptions.passphrase.file, "a file whose first line is the key file's passphrase"),
    .optional(
      SourceOptions.passphrase.descriptor, "a file descriptor whose next line is the key file's passphrase"),
  ]
}
