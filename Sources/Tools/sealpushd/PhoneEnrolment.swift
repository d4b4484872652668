internal import PushCommands
internal import PushEnrolment
internal import PushStandIn
internal import PushStore

/// How a stand-in's phone enrols in a store, as its app and the application would.
struct PhoneEnrolment {
  private let place: StorePlace
  private let audience: Audience

  /// Reads `--store` and `--audience`; nil without them.
  init?(from arguments: Arguments) throws(ToolError) {
    switch (arguments[.store], try arguments[.audience]) {
    case (nil, nil): return nil
    case (_?, let audience?): (place, self.audience) = (try StorePlace(from: arguments), audience)
    default:
      throw .usage("\(Option.store) and \(Option.audience) belong together", hint: "sealpushd apns --help")
    }
  }

  /// Opens the store, and hands in the phone's enrolment and its answers to proof requests until the task is cancelled.
  func begin(for phone: StandInPhone, console: Console) async throws(ToolError) -> Task<Void, Never> {
    let inbox: any EnrolmentInbox = try await place.open(making: true, console: console)
    return Task { [audience] in
      do {
        try await phone.enrol(for: audience) { enrolment in
          let body = enrolment.encoded()
          _ = try await inbox.handIn(
            EnrolmentRequest(name: phone.name, person: phone.name, body: body, mayBeNew: true))
        }
      } catch is CancellationError {
      } catch {
        console.warn("the phone \(phone.name) enrols no more: \(error)")
      }
    }
  }
}
