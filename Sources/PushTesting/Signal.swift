/// Something that happens once, perhaps before anyone waits for it.
package final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Makes a signal that was not fired.
  package init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Lets the one who waits, or will wait, go on.
  package func fire() { continuation.yield() }

  /// Returns when the signal was fired.
  package func wait() async {
    for await _ in stream { return }
  }
}
