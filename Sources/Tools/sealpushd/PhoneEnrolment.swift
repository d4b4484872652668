internal import PushCommands
internal import PushEnrolment
internal import PushStandIn
internal import PushStore

/// How a stand-in's phone enrols in a store, as its app and the application would.
struct PhoneEnrolment {
  private let place: StorePlace
  private let audience: Audience
  /// The Live Activity for which the phone has a token.
  private let activity: String?

  /// Reads `--store`, `--audience` and `--activity`; nil without them.
  init?(from arguments: Arguments) throws(ToolError) {
    activity = arguments[.activity]
    guard activity.map(TokenUse.isName) ?? true else {
      throw .usage(
        "\(Option.activity) must be 1 to \(TokenUse.maximumNameSize) bytes without control characters")
    }
    switch (arguments[.store], try arguments[.audience]) {
    case (nil, nil):
      guard activity == nil else {
        throw .usage("\(Option.activity) needs \(Option.store) and \(Option.audience)")
      }
      return nil
    case (_?, let audience?): (place, self.audience) = (try StorePlace(from: arguments), audience)
    default:
      throw .usage("\(Option.store) and \(Option.audience) belong together", hint: "sealpushd apns --help")
    }
  }

  /// Opens the store, and hands in the phone's enrolment and its answers to proof requests until the task is cancelled.
  func begin(for phone: StandInPhone, console: Console) async throws(ToolError) -> Task<Void, Never> {
    let store: any Store = try await place.open(making: true, console: console)
    return Task { [self] in
      do {
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await phone.enrol(for: audience) { enrolment in
              let body = enrolment.encoded()
              _ = try await store.handIn(
                EnrolmentRequest(name: phone.name, person: phone.name, body: body, mayBeNew: true))
            }
          }
          group.addTask { try await handTokensIn(of: phone, to: store) }
          try await group.waitForAll()
        }
      } catch is CancellationError {
      } catch {
        console.warn("the phone \(phone.name) has stopped enrolling: \(error)")
      }
    }
  }

  /// Hands in the phone's other tokens once its keys are made and proven.
  private func handTokensIn(of phone: StandInPhone, to store: any Store) async throws {
    var signed: DeviceTokens?
    while true {
      signed = try signed ?? phone.signTokens(for: audience, activity: activity)
      if let signed {
        guard case .failure(.notRegistered) = try await store.accept(signed) else { return }
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
