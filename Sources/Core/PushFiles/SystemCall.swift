#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs system calls: retries them after a signal (`EINTR`), and turns `errno` into a ``FileError``.
enum SystemCall {
  /// Runs a call that returns a negative number on failure.
  ///
  /// - Throws: ``FileError/system(call:errno:)``.
  @discardableResult
  static func result<Number: SignedInteger>(
    of name: String, call: () -> Number
  ) throws(FileError) -> Number {
    while true {
      let result = call()
      guard result < 0 else { return result }
      guard errno == EINTR else { throw .system(call: name, errno: errno) }
    }
  }

  /// Runs a call on a path; common failures become their own cases of ``FileError``.
  ///
  /// - Throws: ``FileError``.
  @discardableResult
  static func resultOnPath(of name: String, call: () -> CInt) throws(FileError) -> CInt {
    do throws(FileError) {
      return try result(of: name, call: call)
    } catch {
      guard case .system(let name, let errno) = error else { throw error }
      throw FileError(path: name, errno: errno)
    }
  }

  /// Waits for `milliseconds`, or less if a signal arrives.
  static func pause(milliseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    unsafe nanosleep(&time, nil)
  }
}
