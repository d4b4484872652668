import PushFiles
import PushKeys

/// Where a private key set is that a command only reads.
package enum KeySource {
  case file(String)
  /// Standard input, or a descriptor that the process inherited.
  case descriptor(GivenDescriptor)

  /// What an option such as `--keys`, or its other form with `-fd`, says; nil without both.
  init?(from arguments: Arguments, option: SourceOptions) throws(ToolError) {
    switch (arguments[option.file], arguments[option.descriptor]) {
    case ("-", _): self = .descriptor(.standardInput)
    case (let path?, _): self = .file(path)
    case (nil, let text?):
      self = .descriptor(try GivenDescriptor(parsing: text, option: option.descriptor.name))
    case (nil, nil): return nil
    }
  }

  /// What an option says that the command cannot do without.
  package init(required option: SourceOptions, from arguments: Arguments) throws(ToolError) {
    guard let source = try KeySource(from: arguments, option: option) else {
      throw .usage("\(option.file) FILE is missing")
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
