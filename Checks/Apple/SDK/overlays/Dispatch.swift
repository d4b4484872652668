// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/dispatch/dispatchtime
public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}

// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult
public enum DispatchTimeoutResult: Sendable { case success, timedOut }

// https://developer.apple.com/documentation/dispatch/dispatchqueue
open class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
open class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

extension DispatchQueue {
  public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  public static func global() -> DispatchQueue { DispatchQueue(label: "") }
  public func async(group: DispatchGroup, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

// https://developer.apple.com/documentation/dispatch/dispatchgroup
open class DispatchGroup: @unchecked Sendable {
  public init() {}
  public func enter() {}
  public func leave() {}
  public func notify(queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
