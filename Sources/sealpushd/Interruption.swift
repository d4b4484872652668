private import Dispatch
private import Glibc

/// Ctrl-C and SIGTERM.
enum Interruption {
  /// Returns when the first of them comes; a second one ends the process.
  static func wait() async {
    let sources = [SIGINT, SIGTERM].map { number in
      _ = signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for source in sources {
      source.setEventHandler { continuation.yield() }
      source.resume()
    }
    for await _ in stream { break }
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
  }
}
