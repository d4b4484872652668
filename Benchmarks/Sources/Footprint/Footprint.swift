import Glibc
import Malloc

/// How much memory this process has taken so far.
public enum Footprint {
  /// Prints the peak resident set and the private dirty memory as it is now, in KiB: `resident=… dirty=…`.
  public static func report() {
    let resident = kibibytes("VmHWM:", in: "/proc/self/status")
    let dirty = kibibytes("Private_Dirty:", in: "/proc/self/smaps_rollup")
    print("resident=\(resident) dirty=\(dirty)")
  }

  /// The resident set as it is now, in bytes.
  public static var resident: Int { kibibytes("VmRSS:", in: "/proc/self/status") * 1024 }

  /// What the allocator has handed out and not got back, in bytes, in all of its arenas: the resident set has its free
  /// memory too.
  public static var allocated: Int {
    var text: UnsafeMutablePointer<CChar>?
    var count = 0
    guard let file = open_memstream(&text, &count) else { return 0 }
    malloc_info(0, file)
    fclose(file)
    defer { free(text) }
    // The sums of all arenas are the last lines.
    var sums: [Substring: Int] = [:]
    for line in String(cString: text!).split(separator: "\n") {
      let parts = line.split(separator: "\"")
      guard line.hasPrefix("<total") || line.hasPrefix("<system"), let size = Int(parts.dropLast().last ?? "")
      else {
        continue
      }
      sums[parts[1]] = size
    }
    return ["current", "mmap"].reduce(0) { $0 + (sums[$1] ?? 0) }
      - ["fast", "rest"].reduce(0) { $0 + (sums[$1] ?? 0) }
  }

  /// The number of open descriptors, without that of the folder that lists them.
  public static var descriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = -1
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
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
