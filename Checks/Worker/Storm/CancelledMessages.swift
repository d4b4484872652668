import PushCore
import PushStandIn

/// What became of the messages that were cancelled.
struct CancelledMessages: CustomStringConvertible {
  /// Those whose jobs no worker had had, and those of them that were sent nevertheless.
  private let (unleased, sentUnleased): (Int, Int)
  /// Those whose jobs a worker had, or had had, and those of them that were sent.
  private let (leased, sentLeased): (Int, Int)

  init(_ cancellations: Cancellations, _ accepted: AcceptedIDs) {
    (unleased, leased) = (cancellations.unleased.count, cancellations.leased.count)
    sentUnleased = cancellations.unleased.count { accepted[$0] > 0 }
    sentLeased = cancellations.leased.count { accepted[$0] > 0 }
  }

  /// The number that were not sent.
  var unsent: Int { unleased - sentUnleased + leased - sentLeased }

  /// Whether what no worker had had was not sent.
  var isGood: Bool { sentUnleased == 0 }

  var description: String {
    """
    cancelled: \(unleased) messages before a worker had them, of which \(sentUnleased) were sent, and \(leased) later, \
    of which \(sentLeased) were sent
    """
  }
}
