import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The configuration file, and how it was found.
///
/// The file decides whom the tool trusts, so only root and the user may be able to change or replace it.
struct ConfigurationFile {
  /// What names the file: an option, the environment, or its place in the current folder.
  enum Source {
    case option, environment, folder

    /// The option's or the variable's name, or "folder".
    var text: String {
      switch self {
      case .option: Option.config.name.description
      case .environment: "SEALPUSH_CONFIG"
      case .folder: "folder"
      }
    }
  }

  /// Its name in the current folder.
  static let name = "sealpush.json"

  let path: String
  let source: Source
  let configuration: Configuration

  /// Reads the file that `--config` or the environment names, or the one in the current folder; nil if there is none.
  static func find(option: String?) throws(ToolError) -> ConfigurationFile? {
    if let option { return try ConfigurationFile(path: option, source: .option) }
    if let path = unsafe getenv(Source.environment.text), unsafe path[0] != 0 {
      return try ConfigurationFile(path: unsafe String(cString: path), source: .environment)
    }
    guard FileStatus.isThere(name) else { return nil }
    return try ConfigurationFile(path: name, source: .folder)
  }

  private init(path: String, source: Source) throws(ToolError) {
    guard path != "-" else { throw .usage("\(source.text) must be a file, not standard input or output") }
    (self.path, self.source) = (path, source)
    configuration = try Configuration(
      parsing: TrustedFile.read(
        from: path, atMost: Configuration.maximumSize, namedBy: source.text,
        insteadOfOthers: "leave it alone: give the options themselves, or your own file with --config"),
      at: path)
  }
}
