public import PushCore

extension APNsClient {
  /// Sends pushes as they come, and gives their results as they come, not in order.
  ///
  /// Each route has `limit` places. A push takes a place when it is read, and keeps it until you take its result. If
  /// the next push's route has no free place, reading waits for one, but not for ever: if the route needs longer than
  /// ``RetryPolicy/patience`` for `limit` pushes, for example because its server is gone, the push comes back unsent,
  /// as ``DeliveryError/Cause/routeHeldUp``. Reading goes on when you take that result.
  ///
  /// So a route delays the others for that time at most. At most `limit` pushes of each route are held in memory, and
  /// one more. If you take no results, reading stops.
  ///
  /// - Parameters:
  ///   - jobs: The pushes, or your own values that contain them.
  ///   - limit: How many pushes of one route may be read before you take their results.
  public func send<Jobs>(_ jobs: Jobs, atATime limit: Int = 1000) -> Deliveries<Jobs> {
    Deliveries(jobs: jobs, sender: self, limit: max(1, limit))
  }
}

/// The results of pushes that are sent as they come.
///
/// Reading starts when you ask for the first result. If the input throws an error, it is thrown after the results of
/// all jobs before it. When the consuming task is cancelled, or the iterator is released, reading stops and the pushes
/// on their way are cancelled.
public struct Deliveries<Jobs>: AsyncSequence, Sendable
where Jobs: AsyncSequence & Sendable, Jobs.Element: Deliverable {
  /// A job with its result.
  public typealias Element = Delivered<Jobs.Element>

  /// The error that the input throws.
  public typealias Failure = Jobs.Failure

  private let jobs: Jobs
  private let sender: any SequenceSender
  private let limit: Int

  init(jobs: Jobs, sender: any SequenceSender, limit: Int) {
    self.jobs = jobs
    self.sender = sender
    self.limit = limit
  }

  /// Makes an iterator, which reads nothing yet.
  public func makeAsyncIterator() -> Iterator { Iterator(jobs: jobs, sender: sender, limit: limit) }

  /// Iterates over the results.
  public struct Iterator: AsyncIteratorProtocol {
    private let run: Run

    fileprivate init(jobs: Jobs, sender: any SequenceSender, limit: Int) {
      run = Run(jobs: jobs, sender: sender, limit: limit)
    }

    /// The next result; nil after the last one, and if the task is cancelled.
    ///
    /// - Throws: The input's error.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure)
      -> Element?
    {
      try await run.next(isolation: actor)
    }
  }

  /// One pass over the input, which ends when the iterator is released.
  private final class Run: Sendable {
    private let jobs: Jobs
    private let sender: any SequenceSender
    private let places: DeliveryPlaces
    private let pass: DeliveryPass

    init(jobs: Jobs, sender: any SequenceSender, limit: Int) {
      self.jobs = jobs
      self.sender = sender
      let (patience, clock) = sender.patience
      let places = DeliveryPlaces(limit: limit, patience: patience, clock: clock)
      self.places = places
      pass = DeliveryPass { places.resultsWereGiven() }
    }

    deinit {
      places.stop()
      sender.cancel(pass)
    }

    func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      // A cancellation handler makes the caller's task change executors, which takes longer than everything else here.
      if !Task.isCancelled, let ready = places.takeReady() { return try Self.element(of: ready) }
      startReading()
      let step = await withTaskCancellationHandler {
        await places.next(isolation: actor)
      } onCancel: { [sender, places, pass] in
        places.stop()
        sender.cancel(pass)
      }
      return try Self.element(of: step)
    }

    private static func element(of step: DeliveryPlaces.Step) throws(Failure) -> Element? {
      switch step {
      case .success(nil): return nil
      case .success(let element as Element): return element
      case .failure(let error as Failure): throw error
      default: preconditionFailure("the reader gives elements, and the input's error")
      }
    }

    private func startReading() {
      places.start { [jobs, sender, places, pass] in
        Task { await Self.read(jobs, sender: sender, places: places, pass: pass) }
      }
    }

    private static func read(
      _ jobs: Jobs, sender: any SequenceSender, places: DeliveryPlaces, pass: DeliveryPass
    ) async {
      do throws(Failure) {
        var iterator = jobs.makeAsyncIterator()
        while await places.mayRead(), let job = try await iterator.next(isolation: nil) {
          let push: AddressedPush
          do throws(DeliveryError) {
            push = try job.pushToSend()
          } catch {
            places.giveBack(Element(job: job, result: .failure(error)))
            continue
          }
          let route = sender.route(of: push)
          switch await places.take(on: route) {
          case .taken:
            sender.send(push, on: route, for: pass) { result in
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
