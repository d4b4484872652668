#if canImport(Darwin)
  private import os

  /// A value that one thread uses at a time: the `Mutex` of Swift's module Synchronization, which needs iOS 18 and macOS 15.
  @safe
  package struct Mutex<Value: ~Copyable>: ~Copyable {
    private let lock = OSAllocatedUnfairLock()
    // The value must not move while a thread uses it.
    private let value: UnsafeMutablePointer<Value>

    /// Takes ownership of a value that no thread uses.
    package init(_ initialValue: consuming sending Value) {
      unsafe value = .allocate(capacity: 1)
      unsafe value.initialize(to: initialValue)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
    }

    /// Waits until no other thread uses the value, and calls `body` with it, which must not call this method again.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return unsafe try body(&value.pointee)
    }
  }

  // One thread at a time uses the value.
  extension Mutex: @unchecked Sendable where Value: ~Copyable {}
#else
  @_exported public import Synchronization
#endif
