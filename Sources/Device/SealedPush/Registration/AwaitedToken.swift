internal import PushCore

/// The token that iOS gives in a launch, or why it gives none; it may come later than the call that needs it.
struct AwaitedToken {
  typealias Answer = Result<DeviceToken, RegistrationFailure>

  /// What iOS has answered.
  private(set) var answer: Answer?

  private var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
  private var nextNumber = 0

  /// The token, if iOS has given one.
  var token: DeviceToken? { try? answer?.get() }

  /// Takes iOS's answer, and passes it to all who wait.
  mutating func take(_ answer: Answer) {
    self.answer = answer
    for continuation in waiting.values { continuation.resume(returning: answer) }
    waiting = [:]
  }

  /// A number for one who will wait.
  mutating func newNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  /// Lets one wait for the answer.
  mutating func wait(_ number: Int, _ continuation: CheckedContinuation<Answer, Never>) {
    if let answer { return continuation.resume(returning: answer) }
    waiting[number] = continuation
  }

  /// Ends a wait that has taken too long.
  mutating func giveUp(_ number: Int) {
    waiting.removeValue(forKey: number)?.resume(returning: .failure(.noToken("it did not answer")))
  }
}
