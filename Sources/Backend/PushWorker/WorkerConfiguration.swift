public import PushCore
public import PushEnrolment
internal import PushKeys
public import PushSealer

/// How a worker works.
public struct WorkerConfiguration: Sendable {
  /// How many jobs are leased at a time, 1 or more.
  public var batchSize = 1000

  /// How many leased jobs may be unfinished, 1 or more; no more are leased meanwhile.
  public var openJobs = 4000

  /// How many pushes of one route may be on their way, 1 or more: see `APNsClient.send(_:atATime:)`.
  public var pushesAtATime = 1000

  /// How long a lease lasts, 3 seconds or more; the worker extends it while it works on the job.
  ///
  /// When a worker has crashed, other workers take its jobs after that time.
  public var lease = Duration.seconds(60)

  /// How long endings are gathered, to be written together.
  package var gatheringTime = Duration.milliseconds(100)

  /// How long it waits for a job before it asks the store again, a millisecond or more.
  public var idleTime = Duration.seconds(5)

  /// The wait before a job's second attempt, which doubles with each of the next eight.
  public var firstDelay = Duration.seconds(10)

  /// The longest wait before another attempt.
  public var maximumDelay = Duration.seconds(15 * 60)

  /// How often a job may be leased and never end, 10 or more; then it goes to the dead letters.
  ///
  /// It gives up jobs that crash worker after worker. Up to eight attempts that ended count here too. A job that waits for
  /// a route or a person's limit is not given up before its time is up.
  public var maximumAttempts = 20

  /// How many of the attempts that ended count.
  let triesThatCount = 8

  /// How many persons' devices are looked up together.
  var personsAtATime = 100

  /// After how many prepared messages the rest of the leased jobs goes back to the queue.
  var messagesAtATime = 20_000

  /// How long nothing is sealed for the devices of an app and an environment whose route APNs refuses.
  public var routePause = Duration.seconds(60)

  /// How long nothing is sealed for them when the route is only too slow.
  public var slowRoutePause = Duration.seconds(5)

  /// How many devices in a row APNs may refuse on a route before that counts as a wrong environment or topic, 1 or more.
  ///
  /// Then the route pauses, and these refusals count for nothing. Devices without a proven token do not count.
  public var badDevicesInARow = 100

  /// What becomes of a message whose person has no device that it can be sent to.
  public var messagesToNobody = MessagesToNobody.done

  /// What becomes of a message that nobody can get.
  public enum MessagesToNobody: String, Sendable, CaseIterable {
    /// It is done: nothing is left to do.
    case done
    /// It is a dead letter, which may be sent again when the person has a device.
    case deadLetter = "dead"
  }

  /// How long the outcomes of jobs that ask for them are kept, also those that other workers have recorded: a week.
  public var outcomeTime = Duration.seconds(7 * 86_400)

  /// How long dead letters are kept, also those of other workers: 30 days.
  ///
  /// They have their texts in the clear. A month leaves time to find out why, and to send them again.
  public var deadLetterTime = Duration.seconds(30 * 86_400)

  /// How long a registration is kept that has proven nothing and enrols no more: 30 days.
  public var unprovenTime = Duration.seconds(30 * 86_400)

  /// How many messages a person may get within a time; later messages wait; nil for no limit.
  ///
  /// Each worker counts its own, from when it started.
  public var personLimit: PersonLimit?

  /// Whether the worker stops when no job is ready and no enrolment waits.
  public var stopsWhenIdle = false

  /// How messages are sealed; its push type is `alert`, and each job has its own.
  public var policy = SealingPolicy()

  /// The backend's own name, which enrolments must have; with nil, the worker answers no enrolments.
  public var audience: Audience?

  /// The app whose enrolments are taken; nil for all.
  public var topic: Topic?

  /// Makes the usual configuration.
  public init() {}

  /// Checks every property, as a worker does: numbers are in the ranges that are given, and times are not negative, and at
  /// most a century.
  ///
  /// - Throws: `ConfigurationError`.
  public func check() throws(ConfigurationError) {
    let check = PropertyCheck()
    try check.require("batchSize", batchSize)
    try check.require("openJobs", openJobs)
    try check.require("pushesAtATime", pushesAtATime)
    try check.require("lease", lease, atLeast: .seconds(3))
    try check.require("idleTime", idleTime, atLeast: .milliseconds(1))
    try check.require("firstDelay", firstDelay)
    try check.require("maximumDelay", maximumDelay)
    try check.require("maximumAttempts", maximumAttempts, atLeast: triesThatCount + 2)
    try check.require("routePause", routePause)
    try check.require("slowRoutePause", slowRoutePause)
    try check.require("badDevicesInARow", badDevicesInARow)
    try check.require("outcomeTime", outcomeTime)
    try check.require("deadLetterTime", deadLetterTime)
    try check.require("unprovenTime", unprovenTime)
    if let personLimit {
      try check.require("personLimit.count", personLimit.count)
      try check.require("personLimit.time", personLimit.time)
    }
    try check.require(
      "policy.pushType", mustBe: "alert, because each job has its own", policy.pushType == .alert)
  }

  /// The wait after a number of attempts; `random` is from 0 to 1.
  ///
  /// It is never zero, so that a job that fails does not go before the jobs that wait.
  func delay(after attempts: Int, random: Double = .random(in: 0...1)) -> Duration {
    let growth = Double(1 << min(max(attempts - 1, 0), 20))
    return max(min(firstDelay * growth, maximumDelay) * (1 - 0.5 * random), .milliseconds(1))
  }
}
