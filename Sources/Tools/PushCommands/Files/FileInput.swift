import PushFiles
package import PushCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Reads input, up to a limit.
package enum FileInput {
  /// More than any payload, and little enough to read at once: 1 MiB.
  static let maximumSize = 1 << 20

  /// Reads a file, or standard input for `-` or no path.
  package static func read(from path: String?) throws(ToolError) -> [UInt8] {
    let file = try open(path)
    do throws(FileError) {
      return try file.readToEnd(atMost: maximumSize)
    } catch {
      throw FileFailure.reading(error, from: name(of: path))
    }
  }

  /// Opens a file to read, through links, or takes standard input for `-` or no path.
  static func open(_ path: String?) throws(ToolError) -> FileDescriptor {
    guard let path, path != "-" else { return FileDescriptor(borrowing: STDIN_FILENO) }
    do throws(FileError) {
      return try FileDescriptor(reading: path)
    } catch {
      throw FileFailure.reading(error, from: path)
    }
  }

  /// What to call the file in a message.
  static func name(of path: String?) -> String { path.flatMap { $0 == "-" ? nil : $0 } ?? "standard input" }

  /// Reads a payload: a JSON object.
  package static func payload(from path: String?) throws(ToolError) -> JSONObject {
    try payload(parsing: try read(from: path))
  }

  /// Parses a payload.
  static func payload(parsing bytes: [UInt8]) throws(ToolError) -> JSONObject {
    do throws(JSONError) {
      return try JSONObject(parsing: bytes.span)
    } catch {
      throw ToolError(.badData, "the payload is \(JSONFailure.describe(error, in: bytes))")
    }
  }
}
