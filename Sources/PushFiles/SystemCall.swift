#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Calls into the system: begun again when a signal interrupts them, and with errors that have a type.
enum SystemCall {
  /// The result of `call`, which is negative if it failed.
  ///
  /// - Throws: ``FileError/system(call:errno:)``.
  @discardableResult
  static func result<Number: SignedInteger>(
    of name: String, _ call: () -> Number
  ) throws(FileError) -> Number {
    while true {
      let result = call()
      guard result < 0 else { return result }
      guard errno == EINTR else { throw .system(call: name, errno: errno) }
    }
  }

  /// The result of a call on a path, whose commoner failures have cases of their own.
  ///
  /// - Throws: ``FileError``.
  @discardableResult
  static func resultOnPath(of name: String, _ call: () -> CInt) throws(FileError) -> CInt {
    do throws(FileError) {
      return try result(of: name, call)
    } catch {
      guard case .system(let name, let errno) = error else { throw error }
      throw FileError(path: name, errno: errno)
    }
  }

  /// Waits for that many milliseconds, or less.
  static func pause(milliseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    unsafe nanosleep(&time, nil)
  }
}
