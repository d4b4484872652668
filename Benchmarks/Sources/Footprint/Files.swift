import Glibc

/// The first 64 KiB of a file.
public func contents(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw MissingFile(path: path) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}

/// A file that cannot be read.
public struct MissingFile: Error {
  let path: String
}

/// The lines of a file, one at a time.
public final class Lines: Sequence, IteratorProtocol {
  private let file: UnsafeMutablePointer<FILE>?
  private var buffer: UnsafeMutablePointer<CChar>?
  private var capacity = 0

  /// Opens a file; one that is not there has no lines.
  public init(_ path: String) { file = fopen(path, "r") }

  deinit {
    free(buffer)
    if let file { fclose(file) }
  }

  /// The next line, without its end.
  public func next() -> String? {
    guard let file else { return nil }
    let count = getline(&buffer, &capacity, file)
    guard count > 0, let buffer else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: buffer, count: count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
  }
}
