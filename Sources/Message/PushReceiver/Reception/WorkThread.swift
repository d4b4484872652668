#if canImport(Darwin)
  private import Foundation
#else
  private import Dispatch
  private import Glibc
#endif

/// A new thread for work that may block for ever, as a key store can.
///
/// The system's pools have few threads, and timers need them too: work that blocks there would delay deadlines.
enum WorkThread {
  /// The size of its stack in bytes: the same as a secondary thread's on iOS, so code that overflows it there also does
  /// here.
  ///
  /// Apple, "Threading Programming Guide", Thread Costs.
  static let stackSize = 512 << 10

  /// Runs `work` once, on a new thread.
  static func run(_ work: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      let thread = Thread(block: work)
      thread.stackSize = stackSize
      thread.start()
    #else
      let box = unsafe Unmanaged.passRetained(Work(body: work)).toOpaque()
      var thread = pthread_t()
      // Detached from the start: glibc's pthread_detach may read the memory of a thread that has ended meanwhile.
      var attributes = pthread_attr_t()
      unsafe pthread_attr_init(&attributes)
      defer { unsafe pthread_attr_destroy(&attributes) }
      unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
      unsafe pthread_attr_setstacksize(&attributes, stackSize)
      let status = unsafe pthread_create(
        &thread, &attributes,
        { box in
          if let box = unsafe box { unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body() }
          return nil
        }, box)
      guard status == 0 else {
        unsafe Unmanaged<Work>.fromOpaque(box).release()
        return DispatchQueue.global().async(execute: work)
      }
    #endif
  }

  /// Runs `work` once, on a new thread, and returns its result.
  static func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: work()) }
    }
  }

  #if !canImport(Darwin)
    private final class Work: Sendable {
      let body: @Sendable () -> Void

      init(body: @escaping @Sendable () -> Void) { self.body = body }
    }
  #endif
}

extension Task where Failure == Never {
  /// Begins a task of the app's code, which may block its thread, outside the system's pool: the pool has few threads, and
  /// deadlines need them.
  ///
  /// Systems before iOS 18 run it in the pool.
  static func onOwnThreads(_ work: sending @escaping @isolated(any) () async -> Success) -> Task {
    guard #available(iOS 18, macOS 15, visionOS 2, *) else { return Task.detached(operation: work) }
    return Task.detached(executorPreference: ThreadExecutor.shared, operation: work)
  }
}

/// Runs each job of a task on a new thread.
@available(iOS 18, macOS 15, visionOS 2, *)
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    WorkThread.run { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
