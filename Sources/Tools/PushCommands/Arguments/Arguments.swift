import PushFiles
package import PushKeys

/// A command's options and operands as they were given: all are known, occur once unless they are repeatable, and have
/// their values.
package struct Arguments {
  private var values: [OptionName: String] = [:]
  /// All values of the options that may be given again.
  private var repeated: [OptionName: [String]] = [:]
  private var flags: Set<OptionName> = []
  /// The command's options.
  private let options: [Parameter]
  /// The command as a shell has it: its program and its name.
  private let call: String
  /// The passphrase of the key files, if an option provides it; read once, because a pipe cannot be read twice.
  package private(set) var passphrase: Passphrase?
  /// The defaults that were taken from the configuration file.
  private(set) var defaults: Defaults?

  /// The command's options that are files.
  private var files: [Parameter] { options.filter { $0.file != nil } }

  /// How to get the command's help page.
  var page: String { "\(call) --help" }

  /// Reads `--name value`, `--name=value`, `--flag` and operands, in any order; then takes the defaults of the
  /// configuration file.
  ///
  /// What follows `--` is an operand, whatever it begins with.
  init(parsing words: [String], for command: Command) throws(ToolError) {
    options = command.options
    call = command.call
    var (words, hasEnded) = (words[...], false)
    while let word = words.popFirst() {
      if word == "--", command.operand != nil, !hasEnded {
        hasEnded = true
        continue
      }
      if let operand = command.operand, operand.isRepeatable || values[operand.name] == nil,
        hasEnded || Self.isValue(word)
      {
        values[operand.name] = values[operand.name] ?? word
        if operand.isRepeatable { repeated[operand.name, default: []].append(word) }
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = command.options.first(where: { $0.isNamed(parts[0]) }) else {
        throw Suggestion.unknownOption(parts[0], of: command, page: page)
      }
      guard option.isRepeatable || values[option.name] == nil, !flags.contains(option.name) else {
        throw .usage("\(option.name) is given twice", hint: page)
      }
      if option.value == nil {
        guard parts.count == 1 else { throw .usage("\(option.name) takes no value", hint: page) }
        flags.insert(option.name)
      } else {
        let value = try Self.value(of: option, parts: parts, from: &words, page: page)
        values[option.name] = values[option.name] ?? value
        if option.isRepeatable { repeated[option.name, default: []].append(value) }
      }
    }
    for option in options { try checkPlace(of: option) }
    try takeDefaults(for: command)
    for option in options where option.isRequired && belongs(option) && !isGiven(option.name) {
      throw .usage("\(option.synopsis) is missing", hint: page)
    }
  }

  /// Checks that an option is given together with the option it belongs to.
  private func checkPlace(of option: Parameter) throws(ToolError) {
    guard isGiven(option.name), !belongs(option) else { return }
    switch option.place {
    case .everywhere: return
    case .beside(let name):
      // Such options are on the page of the command's other use.
      throw .usage("\(option.name) needs \(name)", hint: "\(call) \(name) --help")
    case .notBeside(let names):
      for other in names where isGiven(other) {
        throw .usage("\(option.name) and \(other) exclude each other", hint: page)
      }
    }
  }

  private func belongs(_ option: Parameter) -> Bool { isAt(option.place) }

  private func isAt(_ place: Parameter.Place) -> Bool {
    switch place {
    case .everywhere: true
    case .beside(let name): isGiven(name)
    case .notBeside(let names): !names.contains(where: isGiven)
    }
  }

  /// Takes from the configuration file the options that were not given and without which the command would fail.
  ///
  /// So a command that works without the file does not depend on it; only a policy is always taken.
  private mutating func takeDefaults(for command: Command) throws(ToolError) {
    let lacking = command.options.filter { option in
      belongs(option) && !isGiven(option.name) && option.defaultPlaces?.allSatisfy(isAt) == true
    }
    guard !lacking.isEmpty || isGiven(.config) else { return }
    guard let file = try ConfigurationFile.find(option: self[.config]) else { return }
    let members = lacking.compactMap { Configuration.Member(option: $0.name) }
    let taken = members.filter { file.configuration[$0] != nil }
    for member in taken { values[member.option] = file.configuration[member] }
    defaults = Defaults(members: taken, file: file)
  }

  /// Whether an option or flag of that name was given.
  package func isGiven(_ name: OptionName) -> Bool { values[name] != nil || flags.contains(name) }

  /// Whether an option was given.
  package func isGiven<Value>(_ option: Option<Value>) -> Bool { isGiven(option.name) }

  /// Whether a file or a descriptor is given.
  package func isGiven(_ source: SourceOptions) -> Bool { isGiven(source.file) || isGiven(source.descriptor) }

  private static func value(
    of option: Parameter, parts: [String], from words: inout ArraySlice<String>, page: String
  ) throws(ToolError) -> String {
    if parts.count == 2 {
      guard !parts[1].isEmpty else { throw .usage("\(option.name) has an empty value", hint: page) }
      return parts[1]
    }
    guard let next = words.popFirst(), isValue(next) else {
      throw .usage("\(option.name) needs a value: \(option.value ?? "")", hint: page)
    }
    return next
  }

  private static func isValue(_ word: String) -> Bool { word == "-" || !word.isEmpty && !word.hasPrefix("-") }

  /// The value of an option; nil if it was not given.
  ///
  /// - Throws: ``ToolError`` with status 64 if the value is invalid.
  package subscript<Value>(option: Option<Value>) -> Value? {
    get throws(ToolError) {
      guard let text = values[option.name] else { return nil }
      return try option.read(text)
    }
  }

  /// The value of an option that takes any text; nil if it was not given.
  package subscript(option: Option<String>) -> String? { values[option.name] }

  /// The value of an option as it was given, valid or not.
  func text<Value>(of option: Option<Value>) -> String? { values[option.name] }

  /// All values of an option that may be given again.
  package func all(_ option: Option<String>) -> [String] { repeated[option.name] ?? [] }

  /// All values of an option that may be given again.
  ///
  /// - Throws: ``ToolError`` with status 64 if one is invalid.
  package func all<Value>(_ option: Option<Value>) throws(ToolError) -> [Value] {
    try (repeated[option.name] ?? []).map(option.read)
  }

  /// All values of an operand that may be given again.
  package func all(_ operand: Operand) -> [String] { repeated[operand.name] ?? [] }

  /// Whether a flag was given.
  package func has(_ flag: Flag) -> Bool { flags.contains(flag.name) }

  /// Reads the passphrase from the file or descriptor that an option names, before anything else is read from it.
  mutating func readPassphrase() throws(ToolError) { passphrase = try PassphraseSource(from: self)?.read() }

  /// The value of an option that the command requires.
  package func required<Value>(_ option: Option<Value>) throws(ToolError) -> Value {
    guard let value = try self[option] else { throw .usage("\(option.name) is missing") }
    return value
  }

  /// The operand, which the command requires.
  package func required(_ operand: Operand) throws(ToolError) -> String { try text(of: operand.name) }

  /// The path of a file, which cannot be standard input or output.
  package func file(_ option: Option<String>) throws(ToolError) -> String { try path(of: option.name) }

  /// The operand's path, which cannot be standard input or output.
  func file(_ operand: Operand) throws(ToolError) -> String { try path(of: operand.name) }

  private func text(of name: OptionName) throws(ToolError) -> String {
    guard let value = values[name] else { throw .usage("\(name) is missing") }
    return value
  }

  private func path(of name: OptionName) throws(ToolError) -> String {
    let path = try text(of: name)
    guard path != "-" else { throw .usage("\(name) must be a file, not standard input or output") }
    return path
  }

  /// The files that the command reads.
  var inputs: [FileIdentity] {
    files.filter { $0.file == .input }.compactMap { values[$0.name].flatMap(Self.identity) }
  }

  /// Checks that no two options write one file, and that none writes a file that another reads, whatever the paths:
  /// with --force, a private key file would be lost.
  func checkFilesDiffer() throws(ToolError) {
    let outputs = files.filter { $0.file == .output }
    for (index, output) in outputs.enumerated() {
      guard let written = path(of: output) else { continue }
      for other in outputs[..<index] {
        guard let path = path(of: other), isGiven(output.name) || isGiven(other.name) else { continue }
        guard path != written, !Self.isSameFile(path, as: written) else {
          throw .usage("\(other.name) and \(output.name) are the same")
        }
      }
      for input in files where input.file == .input {
        guard let read = values[input.name], Self.isSameFile(written, as: read) else { continue }
        throw .usage("\(output.name) and \(input.name) are the same file")
      }
    }
  }

  /// Checks that at most one option reads standard input, besides a passphrase, of which only the first line is read.
  func checkStandardInput() throws(ToolError) {
    let readers = options.filter(readsStandardInput).map(\.name)
    guard readers.count < 2 else { throw .usage("\(readers[0]) and \(readers[1]) are both standard input") }
  }

  private func readsStandardInput(_ option: Parameter) -> Bool {
    guard option.file == .input, option.mayBeStream else {
      return values[option.name] == "0" && Self.keyDescriptors.contains(option.name)
    }
    return values[option.name].map { $0 == "-" } ?? (option.name == Option.input.name && !option.isRequired)
  }

  private static let keyDescriptors = [SourceOptions.keys, .from, .keyFile].map(\.descriptor.name)

  /// The path that an option writes to; nil if it writes nothing.
  private func path(of output: Parameter) -> String? {
    values[output.name] ?? (output.mayBeStream ? "-" : nil)
  }

  private static func isSameFile(_ one: String, as other: String) -> Bool {
    identity(of: one).map { $0 == identity(of: other) } ?? false
  }

  private static func identity(of path: String) -> FileIdentity? {
    path == "-" ? nil : FileStatus(at: path, isFollowingLinks: true)?.identity
  }
}
