/// What an option is called, with its hyphens, or an operand, without.
package struct OptionName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  fileprivate init(_ text: String) { description = text }

  /// Whether it is an operand's, which is given without it.
  var isOperands: Bool { !description.hasPrefix("-") }
}

/// An option that has a value: the key to that value among the arguments of a command.
///
///     extension Option<Duration> {
///       static var deadline: Self { .duration("--deadline") }
///     }
///
///     let deadline = try arguments[.deadline] ?? .seconds(30)
package struct Option<Value: Sendable>: Sendable {
  /// Its name.
  package let name: OptionName
  /// What its value is, such as `TIME`.
  let placeholder: String
  /// What a command does with the file that the value names; nil if the value is no file.
  let file: FileUse?
  /// The values, if there are few.
  let choices: [String]
  /// Reads a value.
  let read: @Sendable (String) throws(ToolError) -> Value

  /// Declares an option by its name and what its value is; `read` gets the value and the name, for an error.
  package init(
    _ name: String, _ placeholder: String, choices: [String] = [],
    read: @escaping @Sendable (String, OptionName) throws(ToolError) -> Value
  ) {
    precondition(Value.self != String.self, "an option that takes any text is not read")
    let name = OptionName(name)
    self.name = name
    self.placeholder = placeholder
    self.choices = choices
    file = nil
    self.read = { (text) throws(ToolError) in try read(text, name) }
  }

  /// Declares an option whose value obeys a rule, such as "10, 5 or 1"; `read` gives nil for a value that does not.
  ///
  /// The error shows that value if `isShown`.
  package init(
    _ name: String, _ placeholder: String, rule: String, choices: [String] = [], isShown: Bool = false,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(name, placeholder, choices: choices) { (text, name) throws(ToolError) in
      guard let value = read(text) else {
        throw .usage("\(name) must be \(rule)" + (isShown ? ", not '\(text)'" : ""))
      }
      return value
    }
  }
}

extension Option where Value: RawRepresentable<String> & CaseIterable {
  /// Declares an option whose value is one of a few words.
  package init(_ name: String, _ placeholder: String, rule: String, isShown: Bool = false) {
    self.init(
      name, placeholder, rule: rule, choices: Value.allCases.map(\.rawValue), isShown: isShown,
      read: Value.init(rawValue:))
  }
}

extension Option<String> {
  /// Declares an option whose value is any text, such as a file's path.
  package init(_ name: String, _ placeholder: String, file: FileUse? = nil) {
    self.name = OptionName(name)
    self.placeholder = placeholder
    self.file = file
    choices = []
    read = { (text) throws(ToolError) in text }
  }
}

/// What a command does with a file.
package enum FileUse: Sendable {
  /// It reads the file, or changes it in place.
  case input
  /// It makes the file, or replaces it.
  case output
}

/// An option without a value, such as `--force`.
package struct Flag: Sendable {
  /// Its name.
  package let name: OptionName
  /// A shorter name, such as `-q`, if it has one.
  let short: String?

  /// Declares a flag.
  package init(_ name: String, short: String? = nil) {
    self.name = OptionName(name)
    self.short = short
  }

  /// Whether a word is its name.
  func isNamed(_ word: String) -> Bool { word == name.description || word == short }
}

/// What a command takes without a name before it, such as `FILE`.
package struct Operand: Sendable {
  /// What it is called in the help.
  package let name: OptionName

  /// Declares an operand.
  package init(_ name: String) { self.name = OptionName(name) }
}

/// Two options for one thing: the file where it is, and the descriptor from which it is read instead.
package struct SourceOptions: Sendable {
  package let file: Option<String>
  let descriptor: Option<String>

  fileprivate init(file: Option<String>, descriptor: String) {
    self.file = file
    self.descriptor = Option(descriptor, "N")
  }

  /// A private key set that a command only reads.
  package static let keys = SourceOptions(file: .keys, descriptor: "--keys-fd")
  /// A sender's private key set.
  package static let from = SourceOptions(
    file: Option("--from", "FILE", file: .input), descriptor: "--from-fd")
  /// The key that APNs knows the team by.
  package static let keyFile = SourceOptions(
    file: Option("--key-file", "FILE", file: .input), descriptor: "--key-file-fd")
  /// The passphrase that opens the key files.
  static let passphrase = SourceOptions(
    file: Option("--passphrase-file", "FILE", file: .input), descriptor: "--passphrase-fd")
  /// The passphrase that a key file is to have.
  static let newPassphrase = SourceOptions(
    file: Option("--new-passphrase-file", "FILE", file: .input), descriptor: "--new-passphrase-fd")
}

/// In a message, each stands for its name.
extension Option: CustomStringConvertible {
  package var description: String { name.description }
}

extension Flag: CustomStringConvertible {
  package var description: String { name.description }
}

extension Operand: CustomStringConvertible {
  package var description: String { name.description }
}
