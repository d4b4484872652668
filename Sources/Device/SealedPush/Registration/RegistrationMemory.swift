internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// What an app remembers of its registration.
///
/// It may come with a backup, without the keys: so it names the identity whose registration it is.
struct RegistrationMemory: Equatable, Sendable {
  /// A person who is signed in.
  struct Account: Equatable, Sendable {
    let person: String
    /// The tag on this phone, when the backend has given it.
    var tag: AccountTag?
    /// Whether the backend has answered an enrolment of the registration in this person's name.
    var isEnrolled = false
  }

  /// A registration that was begun with a challenge, and whose enrolment has no answer yet.
  struct Begun: Equatable, Sendable {
    let person: String
    let challenge: String
    let isJoining: Bool
    let time: UnixTime
    /// The enrolment's ID, when it was handed in.
    var id: String?
  }

  /// What a backend is to hear of a phone that has left it.
  struct Leaving: Equatable, Sendable {
    /// The signed leave, as it is sent.
    let leave: [UInt8]
    /// The registration, and its persons, for services that take no leaves.
    let registration: String?
    let persons: [String]
  }

  /// The most phones that have left and are kept: the newest.
  static let maximumLeavings = 16

  /// How long a challenge can be used, with a minute to spare.
  static let challengeAge = Duration.seconds(9 * 60)

  /// The backend's name for this phone; nil if it has none.
  var registration: String?
  /// The identity that is registered, or about to be.
  var identity: Thumbprint?
  /// Who is signed in.
  var accounts: [Account] = []
  /// The token that was enrolled last.
  var token: DeviceToken?
  /// Whether the backend does not have the registration any more.
  var isForgotten = false
  /// Whether a challenge is asked for only after another login.
  var needsLogin = false
  /// When the next challenge may be asked for, by person.
  var nextChallenges: [String: UnixTime] = [:]
  var begun: Begun?
  /// What the backend has not heard of yet.
  var leavings: [Leaving] = []
  /// Persons who have left a phone that others still have, and of whom the backend has not heard that.
  var departed: [String] = []

  /// The persons who are signed in.
  var persons: Set<String> { Set(accounts.map(\.person)) }

  /// How many sign-outs the backend has not heard of.
  var untoldSignOuts: Int { leavings.count + departed.count }

  /// The same without a registration: what the backend has not heard of stays.
  var cleared: RegistrationMemory {
    var cleared = RegistrationMemory()
    cleared.leavings = leavings
    return cleared
  }

  /// Whether the backend has answered an enrolment in a person's name.
  func isEnrolled(_ person: String) -> Bool { accounts.contains { $0.person == person && $0.isEnrolled } }

  /// Keeps what the backend is to hear.
  mutating func keep(_ leave: [UInt8]) {
    let leaving = Leaving(leave: leave, registration: registration, persons: accounts.map(\.person))
    leavings = (leavings + [leaving]).suffix(Self.maximumLeavings)
  }

  /// Notes that the backend has answered a person's enrolment, perhaps with the tag of the account.
  ///
  /// Who has the phone alone from now on has it without those who have left.
  mutating func noteAnswer(to person: String, account: AccountTag?) {
    note(isEnrolled: true, of: person)
    if let account, let index = accounts.firstIndex(where: { $0.person == person }) {
      accounts[index].tag = account
    }
    guard let begun, begun.person == person else { return }
    if !begun.isJoining { departed = [] }
    self.begun = nil
  }

  /// Adds a person who has not been enrolled yet, unless they are there.
  mutating func add(_ person: String) {
    if !persons.contains(person) { accounts.append(Account(person: person)) }
    departed.removeAll { $0 == person }
  }

  /// Notes whether the backend has a person on the phone; nil means everybody.
  mutating func note(isEnrolled: Bool, of person: String? = nil) {
    for index in accounts.indices where person == nil || accounts[index].person == person {
      accounts[index].isEnrolled = isEnrolled
    }
  }
}
