internal import PushCommands
internal import PushDelivery
private import Synchronization

/// Says on standard error what `send` waits for while it tries again, each reason once.
final class WaitNotes: Sendable {
  /// How many reasons are said: a server that is not APNs could make up any number.
  private static let maximum = 20

  private let console: Console
  private let said = Mutex<Set<String>>([])

  init(console: Console) { self.console = console }

  /// Says why a push is not delivered yet.
  func note(_ event: DeliveryEvent) {
    let reason: String
    switch event {
    case .answered(let response, _, _, _) where response.verdict == .keep && response.status != 403:
      reason = "APNs answered \(response.status) \(response.reason?.rawValue ?? "without a reason")"
    case .unanswered(let text, _, _, _): reason = text
    case .connectionFailed(let text, _): reason = "no connection: \(text)"
    default: return
    }
    guard said.withLock({ $0.count < Self.maximum && $0.insert(reason).inserted }) else { return }
    console.note("\(reason); trying again until --timeout is over")
  }
}
