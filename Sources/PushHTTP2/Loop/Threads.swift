internal import Glibc

/// Starts a thread that runs `body`, gets none of the process's signals, and is never waited for.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = ThreadBody(body)
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  // A new thread has the mask of its maker.
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  var thread = pthread_t()
  let context = unsafe Unmanaged.passRetained(box).toOpaque()
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
      body.run()
      return nil
    }, context)
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  precondition(status == 0, "the process may have another thread")
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
