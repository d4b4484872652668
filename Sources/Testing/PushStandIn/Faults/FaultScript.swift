package import PushCore
internal import PushKeys

/// Faults in the order in which they happen to requests.
///
///     apns.inject(.refusal(.tooManyRequests), to: .next(3))
///     apns.inject(.transport(.goAwayGracefully), to: .each(1000))
package struct FaultScript: Sendable {
  /// A line of the script.
  package struct Line: Hashable, Sendable {
    /// The fault.
    package let fault: Fault
    /// The requests that it happens to; for `next`, the number of those that are left.
    package fileprivate(set) var occasion: Fault.Occasion
    /// The device whose requests it happens to; nil for all devices.
    package let token: DeviceToken?
    /// The number of requests that the line has counted.
    fileprivate var count = 0
  }

  /// The lines that are not used up, in the order in which they were added.
  package private(set) var lines: [Line] = []

  /// Makes an empty script: nothing goes wrong.
  init() {}

  /// Adds a fault.
  ///
  /// `token` restricts it to one device's requests. Counts below 1 add nothing.
  mutating func add(_ fault: Fault, to occasion: Fault.Occasion, of token: DeviceToken? = nil) {
    if case .next(..<1) = occasion { return }
    if case .each(..<1) = occasion { return }
    lines.append(Line(fault: fault, occasion: occasion, token: token))
  }

  /// Removes all faults.
  mutating func clear() { lines = [] }

  /// Counts a request, and returns its faults.
  mutating func next(for path: String) -> [Fault] {
    var faults: [Fault] = []
    for index in lines.indices where lines[index].isAbout(path) {
      if lines[index].happens() { faults.append(lines[index].fault) }
    }
    lines.removeAll { $0.occasion == .next(0) }
    return faults
  }
}

extension FaultScript.Line {
  fileprivate func isAbout(_ path: String) -> Bool {
    token.map { path.lowercased() == APNsRequest.devicePath + $0.text } ?? true
  }

  fileprivate mutating func happens() -> Bool {
    count += 1
    switch occasion {
    case .next(let left): occasion = .next(left - 1)
    case .each(let interval): return count.isMultiple(of: interval)
    case .all: break
    }
    return true
  }
}
