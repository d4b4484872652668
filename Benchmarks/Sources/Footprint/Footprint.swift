import Glibc
import Malloc

/// What this process has taken so far: memory, descriptors, and the processors' time.
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

  /// The processors' time, in seconds, of all threads together.
  public static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func kibibytes(_ label: String, in path: String) -> Int {
    for line in Lines(path) where line.hasPrefix(label) {
      return Int(line.dropFirst(label.count).filter(\.isNumber)) ?? 0
    }
    return 0
  }
}
