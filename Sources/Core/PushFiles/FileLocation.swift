/// A path, split into a folder and a file's name in it.
package struct FileLocation {
  /// The folder's path.
  package let folder: String

  /// The name in the folder.
  package let name: String

  /// Splits a path at its last slash.
  ///
  /// - Throws: ``FileError/missing`` if the path is empty or has a NUL, where C would truncate it;
  ///   ``FileError/notRegularFile(_:)`` if it can only name a folder.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .missing }
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = String(end.map { path[path.utf8.index(after: $0)...] } ?? path[...])
    guard !["", ".", ".."].contains(name) else { throw .notRegularFile(.folder) }
    self.name = name
    folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// A new random name for the file while it is being written.
  var temporaryName: String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let zeros = String(repeating: "0", count: Self.digitCount - digits.count)
    return ".\(name).\(zeros)\(digits).tmp"
  }

  /// Whether a name in the folder has the form of ``temporaryName``.
  func isTemporary(_ other: String) -> Bool {
    let prefix = ".\(name).".utf8
    let suffix = ".tmp".utf8
    let rest = other.utf8.dropFirst(prefix.count)
    guard other.utf8.starts(with: prefix), rest.suffix(suffix.count).elementsEqual(suffix) else {
      return false
    }
    let digits = rest.dropLast(suffix.count)
    return digits.count == Self.digitCount && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static let digitCount = 16
}
