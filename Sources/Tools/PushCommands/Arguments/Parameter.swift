/// What an option or operand is for in a command: an entry of its table, and of its help page.
package struct Parameter: Sendable {
  /// Its name.
  let name: OptionName
  /// A shorter name, such as `-q`, if it has one.
  var short: String?
  /// What its value is, such as `FILE`; nil for a flag or an operand.
  var value: String?
  /// What it is for.
  let summary: String
  /// Whether the command requires it, in the use that it belongs to.
  var isRequired: Bool
  /// What the command does with the file that the value names; nil if the value is no file.
  var file: FileUse?
  /// The values, if there are few.
  var choices: [String] = []
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// The use of the command that it belongs to.
  var place = Place.everywhere
  /// When the configuration file provides it: where all of these apply; nil if it never does.
  var defaultPlaces: [Place]?

  /// With or without which other options an option may be given.
  enum Place: Equatable {
    case everywhere
    /// Only with one option.
    case beside(OptionName)
    /// Only without any of some options.
    case notBeside([OptionName])

    /// Only with an option.
    static func with<Value>(_ option: Option<Value>) -> Place { .beside(option.name) }
    /// Only without a flag.
    static func without(_ flag: Flag) -> Place { .notBeside([flag.name]) }
  }

  /// Whether it is given without a name.
  var isOperand: Bool { name.isOperands }

  /// Whether a word is its name.
  func isNamed(_ word: String) -> Bool { !isOperand && (word == name.description || word == short) }

  /// The option with what its value is.
  var synopsis: String { value.map { "\(name) \($0)" } ?? name.description }

  /// Whether the value may be `-`, for standard input or output; for an optional option that is the default.
  var mayBeStream: Bool { value?.hasSuffix("|-") ?? false }

  /// The same option, for a use of the command that `option` asks for.
  func with<Value>(_ option: Option<Value>) -> Parameter { placed(.beside(option.name)) }

  /// The same option, for the uses of the command that `option` does not ask for.
  func without<Value>(_ option: Option<Value>) -> Parameter { without(option.name) }

  /// The same option, for the uses of the command without a flag.
  func without(_ flag: Flag) -> Parameter { without(flag.name) }

  private func without(_ name: OptionName) -> Parameter {
    guard case .notBeside(let others) = place else { return placed(.notBeside([name])) }
    return placed(.notBeside(others + [name]))
  }

  /// The same option, which the command requires.
  func required() -> Parameter {
    var parameter = self
    parameter.isRequired = true
    return parameter
  }

  /// The same option, which may be given more than once.
  package func repeatable() -> Parameter {
    var parameter = self
    parameter.isRepeatable = true
    return parameter
  }

  /// The same option, which the configuration file provides where all of these apply and it is missing.
  func configurable(_ places: Place...) -> Parameter {
    var parameter = self
    parameter.defaultPlaces = places
    return parameter
  }

  /// The same option, of which a shell offers only these values.
  func offering(_ choices: [String]) -> Parameter {
    var parameter = self
    parameter.choices = choices
    return parameter
  }

  fileprivate func placed(_ place: Place) -> Parameter {
    var parameter = self
    parameter.place = place
    return parameter
  }

  package static func operand(
    _ operand: Operand, _ summary: String, isRequired: Bool = true, file: FileUse? = nil
  ) -> Parameter {
    Parameter(name: operand.name, summary: summary, isRequired: isRequired, file: file)
  }

  package static func required<Value>(_ option: Option<Value>, _ summary: String) -> Parameter {
    Parameter(option, summary: summary, isRequired: true)
  }

  package static func optional<Value>(_ option: Option<Value>, _ summary: String) -> Parameter {
    Parameter(option, summary: summary, isRequired: false)
  }

  package static func flag(_ flag: Flag, _ summary: String) -> Parameter {
    Parameter(name: flag.name, short: flag.short, summary: summary, isRequired: false)
  }

  private init<Value>(_ option: Option<Value>, summary: String, isRequired: Bool) {
    self.init(
      name: option.name, value: option.placeholder, summary: summary, isRequired: isRequired,
      file: option.file, choices: option.choices)
  }

  private init(
    name: OptionName, short: String? = nil, value: String? = nil, summary: String, isRequired: Bool,
    file: FileUse? = nil, choices: [String] = []
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.summary = summary
    self.isRequired = isRequired
    self.file = file
    self.choices = choices
  }
}

extension Parameter {
  /// A private key file that is only read, which may be standard input.
  package static func keySource(
    _ source: SourceOptions, _ summary: String, isRequired: Bool = true
  ) -> Parameter {
    var parameter = Parameter(source.file, summary: summary, isRequired: isRequired)
    parameter.value = "\(source.file.placeholder)|-"
    return parameter.without(source.descriptor)
  }

  /// The descriptor that it is read from instead.
  package static func keyDescriptor(_ source: SourceOptions) -> Parameter {
    .optional(source.descriptor, "an open file descriptor, such as 3, to read from instead of the file")
  }
}

extension Parameter {
  /// The options of several commands, for a command that takes what any of them takes.
  ///
  /// Each is there once, as the first list has it. It is required if all lists require it, and may be given again if any
  /// list lets it.
  package static func any(of lists: [Parameter]...) -> [Parameter] {
    var all: [Parameter] = []
    for option in lists.joined() where !all.contains(where: { $0.name == option.name }) {
      let same = lists.joined().filter { $0.name == option.name }
      var option = option
      option.isRequired = same.count == lists.count && same.allSatisfy(\.isRequired)
      option.isRepeatable = same.contains(where: \.isRepeatable)
      all.append(option)
    }
    return all
  }
}

/// Options that every command has.
extension Parameter {
  static let quiet = flag(.quiet, "print nothing on success; results, warnings and errors remain")
  static let help = flag(.help, "explain the command")

  /// The options of every command.
  static let ofEveryCommand = [quiet, help]

  /// The configuration file's option for a command with these options, if the file provides any of them.
  static func config(for parameters: [Parameter]) -> [Parameter] {
    let provided = parameters.filter { $0.defaultPlaces != nil }
    guard let place = provided.first?.place else { return [] }
    let given = provided.map(\.name.description)
    let head = given.dropLast().joined(separator: ", ")
    let names = (head.isEmpty ? [] : [head]) + given.suffix(1)
    return [
      optional(.config, "the file with defaults for \(names.joined(separator: " and ")); see config --help")
        .placed(place)
    ]
  }
}
