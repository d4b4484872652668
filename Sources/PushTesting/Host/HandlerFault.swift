/// What an extension did wrong with the handler that it was given.
public enum HandlerFault: String, Error, Sendable {
  /// It did not call it until its time was over.
  case neverCalled = "never-called"
  /// It called it again.
  case calledTwice = "called-twice"
  /// It called it again from another thread, which a flag without a lock does not prevent.
  case calledFromTwoThreads = "called-from-two-threads"
  /// It called it for the first time after its time was over.
  case calledLate = "called-late"
}
