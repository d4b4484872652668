import PushCore
import PushReceiver
import PushSealer
import Synchronization

/// What became of the messages.
struct Tally: Sendable {
  /// Opened, with the text that was sealed.
  var opened = 0
  /// Spoilt on the way, and shown as the placeholder.
  var refused = 0
  /// All else: a message lost, or one let in.
  var wrong = 0

  var messages: Int { opened + refused + wrong }
}

/// Messages from one sealer to one receiver, until it is stopped.
final class Traffic: Sendable {
  private let parties: Parties
  private let current = Mutex(Tally())
  private let isStopped = Atomic(false)

  init(between parties: Parties) { self.parties = parties }

  /// The messages so far.
  var tally: Tally { current.withLock { $0 } }

  /// Ends each task after its message.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Sends until it is stopped, from so many tasks at once.
  func run(tasks: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var round = 0
          while !self.isStopped.load(ordering: .relaxed) {
            await self.send(task, round)
            round += 1
          }
        }
      }
    }
  }

  /// Seals a message and opens it; every eighth is spoilt in between.
  func send(_ task: Int, _ round: Int) async {
    let title = "Message \(round) of \(task)"
    let body = String(repeating: "All is well. ", count: (task * 31 + round) % 100)
    let isSpoilt = round % 8 == 7
    let verdict: WritableKeyPath<Tally, Int>
    do {
      let notification = RemoteNotification(title: title, subtitle: "", body: body)
      let recipient = parties.recipients[task % parties.recipients.count]
      let push = try parties.sealer.seal(notification, to: recipient)
      var payload = try JSONObject(parsing: push.payload.span)
      if isSpoilt { payload.spoil() }
      let reception = await parties.receiver.receive(IncomingPush(payload: payload))
      switch reception.outcome {
      case .opened where !isSpoilt && reception.content.title == title && reception.content.body == body:
        verdict = \.opened
      case .degraded(.notAuthentic) where isSpoilt: verdict = \.refused
      default: verdict = \.wrong
      }
    } catch {
      verdict = \.wrong
    }
    current.withLock { $0[keyPath: verdict] += 1 }
  }
}

extension JSONObject {
  /// Changes a character in the middle of the envelope.
  fileprivate mutating func spoil() {
    let key = EnvelopeKey.default.text
    guard case .string(let envelope)? = self[key] else { return }
    let middle = envelope.index(envelope.startIndex, offsetBy: envelope.utf8.count / 2)
    let other = envelope[middle] == "A" ? "B" : "A"
    self[key] = .string(envelope[..<middle] + other + envelope[envelope.index(after: middle)...])
  }
}
