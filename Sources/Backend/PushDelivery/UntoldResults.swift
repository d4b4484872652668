/// Results that were given to passes which were not told of them yet.
///
/// Each wake of another thread takes longer than a result, so that passes are told of several at once.
struct UntoldResults {
  /// So many are told at once.
  private static let most = 32

  private var passes: [DeliveryPass] = []
  private var count = 0

  /// Whether there are none.
  var isEmpty: Bool { count == 0 }

  /// Whether there are so many that the passes are told now.
  var areEnough: Bool { count >= Self.most }

  /// Adds a result of a pass, unless its caller learns of each.
  mutating func add(of pass: DeliveryPass) {
    guard pass.wake != nil else { return }
    if passes.last !== pass { passes.append(pass) }
    count += 1
  }

  /// Takes the passes that are to be told.
  mutating func takePasses() -> [DeliveryPass] {
    defer { (passes, count) = ([], 0) }
    return passes
  }
}
