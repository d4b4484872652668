/// A route's part of the places of a pass over deliveries.
struct RouteShare {
  private let limit: Int
  /// Places of pushes whose results have not been taken.
  private(set) var taken = 0
  /// Those of them that have no result.
  private var underway = 0
  /// Since when the places were taken almost always; nil while half of them are free.
  private var busySince: Duration?
  /// How many pushes have ended since.
  private var ended = 0

  init(limit: Int) { self.limit = limit }

  /// Whether no place is free.
  var isFull: Bool { taken >= limit }

  /// How many places are free.
  var freePlaces: Int { max(0, limit - taken) }

  /// Takes a place, which must be free.
  mutating func take(at now: Duration) {
    taken += 1
    underway += 1
    if isFull, busySince == nil { (busySince, ended) = (now, 0) }
  }

  /// Takes note that a push has its result.
  mutating func end() {
    underway -= 1
    ended += 1
  }

  /// Frees the place of a result that was taken.
  mutating func free() {
    taken -= 1
    if taken <= limit / 2 { busySince = nil }
  }

  /// When the route will be held up unless it gets on; nil if it gets on, or if results that nobody takes fill it.
  mutating func heldUp(at now: Duration, patience: Duration) -> Duration? {
    guard isFull, underway > limit / 2, let since = busySince else { return nil }
    guard ended < limit else {
      (busySince, ended) = (now, 0)
      return now + patience
    }
    return since + patience
  }
}
