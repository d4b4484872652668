internal import PushStore
private import Synchronization

/// How many messages a person may get.
public struct PersonLimit: Hashable, Sendable {
  /// How many, 1 or more.
  public let count: Int

  /// The time in which they count, from the first of them on.
  public let time: Duration

  /// Lets a person get `count` messages within a time.
  public init(_ count: Int, within time: Duration) {
    self.count = count
    self.time = time
  }
}

/// Counts the messages of persons.
final class PersonLimiter: Sendable {
  private struct Window {
    let end: Duration
    var count: Int
  }

  private struct State {
    var windows: [PersonName: Window] = [:]
    /// How many windows there may be before the ended ones are forgotten.
    var bound = 1024
  }

  private let limit: PersonLimit?
  private let state = Mutex(State())

  init(limit: PersonLimit?) { self.limit = limit }

  /// Whether a message to a person may be sent.
  enum Turn: Equatable {
    /// It may, and counts in the window with this end; nil if there is no limit.
    case now(countedUntil: Duration?)
    /// It is one too many, and must wait this long.
    case later(Duration)
  }

  /// Counts a message to a person, unless it is one too many.
  func turn(of person: PersonName, at now: Duration) -> Turn {
    guard let limit else { return .now(countedUntil: nil) }
    return state.withLock { state in
      if state.windows.count >= state.bound {
        state.windows = state.windows.filter { $0.value.end > now }
        state.bound = max(1024, 2 * state.windows.count)
      }
      var window = Window(end: now + limit.time, count: 0)
      if let current = state.windows[person], current.end > now { window = current }
      guard window.count < limit.count else { return .later(window.end - now) }
      window.count += 1
      state.windows[person] = window
      return .now(countedUntil: window.end)
    }
  }

  /// No longer counts a message that no device got, if the person's window still has this end.
  func giveBack(_ person: PersonName, countedUntil end: Duration) {
    state.withLock { state in
      guard let window = state.windows[person], window.end == end, window.count > 0 else { return }
      state.windows[person]?.count -= 1
    }
  }
}

/// A person's name, compared byte by byte.
struct PersonName: Hashable {
  let text: String

  init(of job: Job) { text = job.person }

  static func == (left: PersonName, right: PersonName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}
