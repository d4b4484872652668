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
      throw .usage("\(Option.activity) is 1 to \(TokenUse.maximumNameSize) bytes without control characters")
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
    return Task { [audience, activity] in
      do {
        async let handingIn: Void = Self.handIn(
          phone.signTokens(for: audience, activity: activity), to: store)
        try await phone.enrol(for: audience) { enrolment in
          let body = enrolment.encoded()
          _ = try await store.handIn(
            EnrolmentRequest(name: phone.name, person: phone.name, body: body, mayBeNew: true))
        }
        try await handingIn
      } catch is CancellationError {
      } catch {
        console.warn("the phone \(phone.name) enrols no more: \(error)")
      }
    }
  }

  /// Hands in the phone's other tokens once its registration has proven keys.
  private static func handIn(_ tokens: DeviceTokens, to store: any Store) async throws {
    while case .failure(.notRegistered) = try await store.accept(tokens) {
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
