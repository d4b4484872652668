/// What a sealer can be given many of: a job, or a value of the caller's own that has one.
///
/// The value comes back with the result, and with it whatever the backend keeps beside the job: the device's token, or
/// what it must confirm to a queue.
public protocol Sealable: Sendable {
  /// The job; it is asked for once, on any thread.
  var sealJob: SealJob { get }
}

extension SealJob: Sealable {
  /// The job itself.
  public var sealJob: SealJob { self }
}
