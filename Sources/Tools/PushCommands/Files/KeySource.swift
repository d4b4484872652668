import PushFiles
import PushKeys

/// Where a private key set is that a command only reads.
enum KeySource {
  case file(String)
  /// Standard input, or a descriptor that the process inherited.
  case descriptor(GivenDescriptor)

  /// What an option such as `--keys`, or its other form with `-fd`, says; nil without both.
  init?(from arguments: Arguments, option name: String) throws(ToolError) {
    switch (arguments[name], arguments["\(name)-fd"]) {
    case ("-", _): self = .descriptor(.standardInput)
    case (let path?, _): self = .file(path)
    case (nil, let text?): self = .descriptor(try GivenDescriptor(parsing: text, option: "\(name)-fd"))
    case (nil, nil): return nil
    }
  }

  /// What an option says that the command cannot do without.
  init(required name: String, from arguments: Arguments) throws(ToolError) {
    guard let source = try KeySource(from: arguments, option: name) else {
      throw .usage("\(name) FILE is missing")
    }
    self = source
  }

  /// What to call it in a message.
  var name: String {
    switch self {
    case .file(let path): path
    case .descriptor(let descriptor): descriptor.name
    }
  }
}

extension Option {
  /// A private key file that is only read.
  package static func keySource(_ name: String, _ summary: String, isRequired: Bool = true) -> Option {
    Option(name: name, value: "FILE|-", summary: summary, isRequired: isRequired, file: .input)
      .without("\(name)-fd")
  }

  /// The descriptor that it is read from instead.
  package static func keyDescriptor(_ name: String) -> Option {
    .optional("\(name)-fd", value: "N", "an open file descriptor, such as 3, to read the keys from instead")
  }

  /// The private key file of a command that only reads it.
  static let readKeys = keySource("--keys", "the private key file")
}
