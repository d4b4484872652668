/// Whether sealed pushes reach this phone, for the person to see.
struct PushState: Sendable {
  /// How far the enrolment is.
  enum Enrolment: Sendable {
    /// Nobody is signed in, or nothing has been asked yet.
    case none
    /// The phone has to answer a push from the backend.
    case pending
    /// The backend seals to this phone.
    case registered
    /// It failed: pushes may not come, or not open.
    case failed(String)
  }

  var enrolment = Enrolment.none

  /// Why the senders' newest set was not taken: the one that is there goes on counting, until it ends.
  var senders: String?
}

extension PushState: CustomStringConvertible {
  var description: String {
    let text =
      switch enrolment {
      case .none: "Pushes: nobody is signed in."
      case .pending: "Pushes: the backend asks this phone whether it is the one."
      case .registered: "Pushes: ready."
      case .failed(let reason): "Pushes fail: \(reason)"
      }
    return senders.map { "\(text) The senders' keys are old: \($0)" } ?? text
  }
}
