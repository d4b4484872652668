import PushCore
import PushSealer

/// Defaults for options, from a configuration file.
///
/// It never contains a secret, only names of files that may.
struct Configuration {
  /// The members that a configuration file can have.
  enum Member: String, CaseIterable {
    case topic, from, senders
    case postQuantum = "post-quantum"

    /// The member that provides an option; nil if none does.
    init?(option: OptionName) {
      guard let member = Self.allCases.first(where: { $0.option == option }) else { return nil }
      self = member
    }

    /// The option that it provides.
    var option: OptionName {
      switch self {
      case .topic: Option.topic.name
      case .from: SourceOptions.from.file.name
      case .senders: Option.senders.name
      case .postQuantum: Option.postQuantum.name
      }
    }
  }

  /// More than any configuration: 64 KiB.
  static let maximumSize = 1 << 16

  private var values: [Member: String] = [:]

  /// Reads the bytes of the file at `path`; the paths in it are relative to its folder.
  init(parsing bytes: [UInt8], at path: String) throws(ToolError) {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: bytes.span)
    } catch {
      throw ToolError(.badData, "\(path) is \(JSONFailure.describe(error, in: bytes))")
    }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    for (key, value) in object {
      guard let member = Member(rawValue: key) else { throw Self.unknown(key, at: path) }
      let name = "\(path): '\(key)'"
      guard let text = value.string, !text.isEmpty else {
        throw ToolError(.badData, "\(name) is not a string")
      }
      switch member {
      case .topic:
        _ = try Arguments.topic(text, called: name, status: .badData)
        values[member] = text
      case .from, .senders:
        guard Self.isPath(text) else {
          throw ToolError(.badData, "\(name) must be the path of a file, not what is in it")
        }
        values[member] = text.hasPrefix("/") ? text : folder + text
      case .postQuantum:
        guard PostQuantum(rawValue: text) != nil else {
          throw ToolError(.badData, "\(name) must be \(PostQuantum.rule)")
        }
        values[member] = text
      }
    }
  }

  subscript(member: Member) -> String? { values[member] }

  /// Whether a text can be a path.
  ///
  /// Pasted keys are not, so no error prints them.
  private static func isPath(_ text: String) -> Bool {
    text != "-" && text.utf8.count < 4096 && !text.hasPrefix("{") && !text.has("-----BEGIN")
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func unknown(_ key: String, at path: String) -> ToolError {
    let secrets = ["pass", "secret", "key", "token", "pin"]
    guard !secrets.contains(where: key.lowercased().has) else {
      return ToolError(
        .badData, "\(path) has '\(key)', but a configuration file is never for secrets",
        hint: "--passphrase-file and --passphrase-fd provide a passphrase")
    }
    let known = Member.allCases.map(\.rawValue)
    return ToolError(
      .badData, "\(path): '\(key)' is unknown", hint: "it can have \(known.joined(separator: ", "))")
  }
}

/// The defaults that a command took from a configuration file.
struct Defaults {
  let members: [Configuration.Member]
  let file: ConfigurationFile

  /// The error, with the members that came from the file: those that it mentions, or all if it mentions none.
  func attributing(_ error: ToolError) -> ToolError {
    guard !error.message.isEmpty, !members.isEmpty else { return error }
    let named = members.filter { member in
      let option = member.option.description
      return error.message.has(option) || error.message.has(file.configuration[member] ?? option)
    }
    let used = named.isEmpty ? members : named
    let list = Configuration.Member.allCases.filter(used.contains).map { "'\($0.rawValue)'" }.joined(
      separator: ", ")
    return ToolError(error.status, "\(error.message) (\(file.path): \(list))", hint: error.hint)
  }
}
