public import PushCore

/// Something to deliver: a push and its address, or a value of your own that has them.
///
/// The value comes back with the result: a job to acknowledge to a queue, for example.
public protocol Deliverable: Sendable {
  /// The push and its address; it is asked for once.
  var addressedPush: AddressedPush { get }
}

/// A push and the device that it is for.
public struct AddressedPush: Deliverable {
  /// The push.
  public let push: SealedPush

  /// The device.
  public let address: DeviceAddress

  /// Whether the address is known to be a device's, because the device has proven it.
  ///
  /// If it only claims that, as in an enrolment, its token may be junk: that APNs refuses it does not count towards
  /// ``RetryPolicy/badDevicesInARow``, or anybody could stop the route with enrolments.
  public let isProven: Bool

  /// Addresses a push.
  public init(_ push: SealedPush, to address: DeviceAddress, isProven: Bool = true) {
    (self.push, self.address, self.isProven) = (push, address, isProven)
  }

  /// The value itself.
  public var addressedPush: AddressedPush { self }
}

/// A job with its result.
public struct Delivered<Job: Deliverable>: Sendable {
  /// The job, as it was given.
  public let job: Job

  /// APNs' last answer, or why there is none.
  public let result: Result<APNsResponse, DeliveryError>
}

extension APNsClient {
  /// Sends pushes as they come, and gives their results as they come, not in order.
  ///
  /// Each route has `limit` places, and a push keeps its place from when it is read until its result is taken. Reading
  /// waits for a place of the next push's route. If that route is held up, its server gone for example, so that it
  /// takes longer than ``RetryPolicy/patience`` for `limit` pushes, then the push is given back instead, not sent, as
  /// ``DeliveryError/Cause/routeHeldUp``, and reading goes on when that result is taken. So a route delays no other for
  /// longer than that, no more than `limit` pushes of each route are held, and one more, and who takes no results
  /// stops the reading.
  ///
  /// - Parameters:
  ///   - jobs: The pushes, or values of your own that have them.
  ///   - limit: How many pushes of one route may be read whose results have not been taken.
  public func send<Jobs>(_ jobs: Jobs, atATime limit: Int = 1000) -> Deliveries<Jobs> {
    Deliveries(jobs: jobs, client: self, limit: max(1, limit))
  }
}

/// The results of pushes that are sent as they come.
///
/// Reading starts when the first result is asked for. An error of the input is thrown after the results of all jobs
/// before it. When the consuming task is cancelled, or nobody holds the iterator any more, reading stops and pushes that
/// are on their way are cancelled.
public struct Deliveries<Jobs>: AsyncSequence, Sendable
where Jobs: AsyncSequence & Sendable, Jobs.Element: Deliverable {
  /// A job with its result.
  public typealias Element = Delivered<Jobs.Element>

  /// The error that the input throws.
  public typealias Failure = Jobs.Failure

  private let jobs: Jobs
  private let client: APNsClient
  private let limit: Int

  fileprivate init(jobs: Jobs, client: APNsClient, limit: Int) {
    (self.jobs, self.client, self.limit) = (jobs, client, limit)
  }

  /// Starts over; nothing is read yet.
  public func makeAsyncIterator() -> Iterator { Iterator(jobs: jobs, client: client, limit: limit) }

  /// Iterates over the results.
  public struct Iterator: AsyncIteratorProtocol {
    private let run: Run

    fileprivate init(jobs: Jobs, client: APNsClient, limit: Int) {
      run = Run(jobs: jobs, client: client, limit: limit)
    }

    /// The next result; nil after the last one, and if the task is cancelled.
    ///
    /// - Throws: The input's error.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure)
      -> Element?
    {
      try await run.next()
    }
  }

  /// One pass over the input, which ends when nobody holds it any more.
  private final class Run: Sendable {
    private let places: DeliveryPlaces
    private let pass: DeliveryPass
    private let start: @Sendable (DeliveryPlaces) -> Task<Void, Never>

    init(jobs: Jobs, client: APNsClient, limit: Int) {
      let (patience, clock) = client.patience
      places = DeliveryPlaces(limit: limit, patience: patience, clock: clock)
      let pass = DeliveryPass(client: client)
      self.pass = pass
      start = { places in Task { await Self.read(jobs, client: client, places: places, pass: pass) } }
    }

    deinit {
      places.stop()
      pass.cancel()
    }

    func next() async throws(Failure) -> Element? {
      places.start(with: start)
      let step = await withTaskCancellationHandler {
        await places.next()
      } onCancel: { [places, pass] in
        places.stop()
        pass.cancel()
      }
      switch step {
      case .success(nil): return nil
      case .success(let element as Element): return element
      case .failure(let error as Failure): throw error
      default: preconditionFailure("the reader gives elements, and the input's error")
      }
    }

    private static func read(
      _ jobs: Jobs, client: APNsClient, places: DeliveryPlaces, pass: DeliveryPass
    ) async {
      do throws(Failure) {
        var iterator = jobs.makeAsyncIterator()
        while await places.mayRead(), let job = try await iterator.next(isolation: nil) {
          let push = job.addressedPush
          let route = client.route(of: push)
          switch await places.take(on: route) {
          case .taken:
            pass.send(push, on: route) { result in
              places.give(Element(job: job, result: result), on: route)
            }
          case .heldUp:
            let error = DeliveryError(cause: .routeHeldUp, mayBeDelivered: false)
            places.giveBack(Element(job: job, result: .failure(error)))
          case .stopped: return
          }
        }
        places.end(with: .success(()))
      } catch {
        places.end(with: .failure(error))
      }
    }
  }
}
