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
    guard path != "-" else { throw .usage("\(source.text) is a file, not standard input or output") }
    (self.path, self.source) = (path, source)
    configuration = try Configuration(parsing: Self.read(from: path, source: source), at: path)
  }

  private static func read(from path: String, source: Source) throws(ToolError) -> [UInt8] {
    let status = try describing(path, source: source) { () throws(FileError) in
      let status = try GuardedWay.status(ofFileAt: path)
      if let kind = status.kind { throw .notRegularFile(kind) }
      return status
    }
    guard status.isOwn || status.isRoots else {
      throw ToolError(
        .noPermission, "\(path) is another user's (\(status.owner)), who would decide whom to trust",
        hint: "leave it alone: give the options themselves, or your own file with --config")
    }
    guard status.permissions & 0o022 == 0 else {
      throw ToolError(
        .noPermission,
        "others can change \(path), which has mode 0\(String(status.permissions, radix: 8)), and so decide whom to trust",
        hint: "chmod go-w \(ShellWord.quoted(path))")
    }
    return try describing(path, source: source) { () throws(FileError) in
      let file = try FileDescriptor(reading: path)
      guard try file.status.isSame(as: status) else { throw .busy }
      return try file.readToEnd(atMost: Configuration.maximumSize)
    }
  }

  private static func describing<Result>(
    _ path: String, source: Source, work: () throws(FileError) -> Result
  ) throws(ToolError) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      switch error {
      case .folderWritableByOthers, .folderOfAnotherUser, .linkOfAnotherUser:
        throw KeyFileFailure.describe(KeyFileError(.file(error), path: path))
      case .missing: throw ToolError(.noInput, "there is no \(path)", hint: "\(source.text) names it")
      case .tooLarge: throw ToolError(.badData, "\(path) is longer than \(Configuration.maximumSize) bytes")
      default: throw FileFailure.reading(error, from: path)
      }
    }
  }
}
