import Glibc

/// How much memory this process has taken so far.
public enum Footprint {
  /// Prints the peak resident set and the private dirty memory as it is now, in KiB: `resident=… dirty=…`.
  public static func report() {
    let resident = kibibytes("VmHWM:", in: "/proc/self/status")
    let dirty = kibibytes("Private_Dirty:", in: "/proc/self/smaps_rollup")
    print("resident=\(resident) dirty=\(dirty)")
  }

  private static func kibibytes(_ label: String, in path: String) -> Int {
    for line in Lines(path) where line.hasPrefix(label) {
      return Int(line.dropFirst(label.count).filter(\.isNumber)) ?? 0
    }
    return 0
  }
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
