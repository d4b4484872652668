internal import CLinux

/// Starts a detached thread that runs `body` and gets none of the process's signals.
///
/// - Throws: ``SocketError`` if the system refuses another thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws(SocketError) {
  let context = unsafe Unmanaged.passRetained(ThreadBody(body))
  let status = unsafe loop_start_thread(
    { context in
      guard let context = unsafe context else { return nil }
      let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
      body.run()
      return nil
    }, context.toOpaque())
  guard status == 0 else {
    unsafe context.release()
    throw SocketError("pthread_create", errno: status)
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
