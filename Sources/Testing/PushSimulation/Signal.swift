/// An event that happens once, perhaps before a task waits for it.
package final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Makes a signal that has not fired.
  package init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Resumes the task that waits for the event, now or later.
  package func fire() { continuation.yield() }

  /// Returns when the signal has fired.
  package func wait() async {
    for await _ in stream { return }
  }
}
