import PushFiles
import PushKeys

/// A file that says whom to trust, so only root and the tool's user may be able to write it.
package enum TrustedFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - size: How long it may be, in bytes.
  ///   - name: What names the file, such as an option.
  ///   - advice: What to do with a file of another user.
  /// - Throws: `ToolError`, also if another user can write the file, a folder on the way to it, or a link there.
  package static func read(
    from path: String, atMost size: Int, namedBy name: String, insteadOfOthers advice: String
  ) throws(ToolError) -> [UInt8] {
    let status = try describing(path, atMost: size, name: name) { () throws(FileError) in
      let status = try GuardedWay.status(ofFileAt: path)
      if let kind = status.kind { throw .notRegularFile(kind) }
      return status
    }
    guard status.isOwn || status.isRoots else {
      throw ToolError(
        .noPermission, "\(path) belongs to another user (\(status.owner)), who could decide whom to trust",
        hint: advice)
    }
    guard status.permissions & 0o022 == 0 else {
      throw ToolError(
        .noPermission,
        "others can change \(path), which has mode 0\(String(status.permissions, radix: 8)), and so decide whom to trust",
        hint: "chmod go-w \(ShellWord.quoted(path))")
    }
    return try describing(path, atMost: size, name: name) { () throws(FileError) in
      let file = try FileDescriptor(reading: path)
      guard try file.status.isSame(as: status) else { throw .busy }
      return try file.readToEnd(atMost: size)
    }
  }

  private static func describing<Result>(
    _ path: String, atMost size: Int, name: String, work: () throws(FileError) -> Result
  ) throws(ToolError) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      switch error {
      case .folderWritableByOthers, .folderOfAnotherUser, .linkOfAnotherUser:
        throw KeyFileFailure.describe(KeyFileError(.file(error), path: path))
      case .missing: throw ToolError(.noInput, "there is no \(path)", hint: "\(name) names it")
      case .tooLarge: throw ToolError(.badData, "\(path) is longer than \(size) bytes")
      default: throw FileFailure.reading(error, from: path)
      }
    }
  }
}
