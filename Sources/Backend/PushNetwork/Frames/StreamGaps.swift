/// The streams that a client has skipped: it may not open them any more (RFC 9113, 5.1.1).
struct StreamGaps {
  /// How many gaps are remembered, the last ones: clients that skip streams are rare, and no client needs to.
  private static let maximum = 100

  private var last: Int32 = -1
  private var gaps: [ClosedRange<Int32>] = []

  /// Notes that headers come on a stream; false if the client has skipped it.
  mutating func admit(_ stream: Int32) -> Bool {
    // Even numbers are the server's streams, which nghttp2 refuses.
    guard stream > 0, !stream.isMultiple(of: 2) else { return true }
    guard stream > last else { return !gaps.contains { $0.contains(stream) } }
    if stream > last + 2 { gaps.append(last + 2...stream - 2) }
    if gaps.count > Self.maximum { gaps.removeFirst() }
    last = stream
    return true
  }
}
