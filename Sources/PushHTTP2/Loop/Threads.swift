internal import Glibc

/// Starts a thread that runs `body`, gets none of the process's signals, and is never waited for.
///
/// - Throws: ``SocketError`` if the process can have no other thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws(SocketError) {
  let box = ThreadBody(body)
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  // A new thread has the mask of its maker.
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  var thread = pthread_t()
  let context = unsafe Unmanaged.passRetained(box)
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
      body.run()
      return nil
    }, context.toOpaque())
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  guard status == 0 else {
    unsafe context.release()
    throw SocketError("pthread_create", status)
  }
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
