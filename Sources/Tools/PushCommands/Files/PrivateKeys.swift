import PushCore
import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Reads private keys that other programs wrote, and turns the errors into messages.
enum PrivateKeys {
  /// Reads a key, from standard input for `-`.
  static func read(
    from path: String, as format: KeyFormat, algorithm: KeyAlgorithm
  ) throws(ToolError) -> PrivateKey {
    let file = try FileInput.open(path)
    let descriptor = file.number
    var failure: Int32 = 0
    let input = PrivateKeyInput { (bytes, place) in
      let count = fill(&bytes, from: descriptor, at: place)
      if count < 0 { failure = errno }
      return count
    }
    _ = consume file
    guard let input else {
      guard failure != 0 else { throw ToolError(.badData, "\(path) is longer than any key") }
      throw ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: failure))")
    }
    let key: PrivateKey
    do throws(PrivateKeyError) {
      key = try input.key(as: format, algorithm: algorithm)
    } catch {
      throw PrivateKeyFailure.describe(error, at: path, as: format)
    }
    guard key.algorithm == algorithm else {
      let role = key.algorithm.suite.map { "--role device --suite \($0.name)" } ?? "--role sender"
      throw ToolError(
        .badData, "\(path) has a key of another kind", hint: "import it with \(role)")
    }
    return key
  }

  private static func fill(_ bytes: inout MutableSpan<UInt8>, from file: Int32, at place: Int) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
        return unsafe cRead(file, rest.baseAddress, rest.count)
      }
      guard count < 0 && errno == EINTR else { return count }
    }
  }
}
