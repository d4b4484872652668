import Glibc
import PushEnvelope

/// Prints how many messages are sealed and opened in a second, beside the bare primitives
/// and libsodium's sealed box.
@main
enum SealOpen {
  static func main() throws {
    guard let time = time(CommandLine.arguments.dropFirst()) else {
      complain("usage: seal-open [seconds for each line, default 4]\n")
      exit(64)
    }
    print(Table.head)
    for operation in [Comparison.seal, Comparison.open] {
      for scene in try Scene.all() {
        let comparison = try operation(scene)
        print(Table.row(comparison.label, try comparison.run(for: time)))
      }
    }
  }

  private static func time(_ arguments: ArraySlice<String>) -> Duration? {
    guard let argument = arguments.first else { return .seconds(4) }
    guard arguments.count == 1, let seconds = Double(argument), (0...3600).contains(seconds) else {
      return nil
    }
    return .seconds(seconds)
  }

  private static func complain(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
