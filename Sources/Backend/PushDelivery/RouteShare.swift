/// A route's places in a sequence: see ``DeliveryPlaces``.
struct RouteShare {
  private let limit: Int
  /// How many places are taken: by pushes whose results have not been taken.
  private(set) var taken = 0
  /// How many of them belong to pushes without a result.
  private var underway = 0
  /// Since when all places have been taken almost without a break; nil while half of them are free.
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

  /// Notes that a push has its result.
  mutating func end() {
    underway -= 1
    ended += 1
  }

  /// Frees the place of a result that was taken.
  mutating func free() {
    taken -= 1
    if taken <= limit / 2 { busySince = nil }
  }

  /// When the route counts as held up unless it makes progress; nil if it does, or if its places are full of results
  /// that the consumer has not taken.
  mutating func heldUp(at now: Duration, patience: Duration) -> Duration? {
    guard isFull, underway > limit / 2, let since = busySince else { return nil }
    guard ended < limit else {
      (busySince, ended) = (now, 0)
      return now + patience
    }
    return since + patience
  }
}
