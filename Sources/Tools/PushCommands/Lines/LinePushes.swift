internal import PushEnrolment
package import PushCore
package import PushSealer

/// A line's message for one of its devices.
package struct LinePush: Sendable {
  /// The line's number.
  package let line: Int
  /// What the line has under "id".
  package let id: JSONValue?
  /// The device's name in the line or in the file of recipients; nil if the line contains keys, or names no device.
  package let name: String?
  /// What the file of recipients says about the device.
  package let device: EnrolledDevice?
  /// Whether the line names no device, so that the message is for the recipient of `--to`.
  package let isToStandard: Bool
  /// The sealed message, or why it was not sealed.
  package let push: Result<SealedMessage, LineError>
}

/// The messages of many lines, sealed as `seal --lines` does, in order and in constant memory.
@available(macOS 15, *)
package final class LinePushes: AsyncSequence, Sendable {
  package typealias Element = LinePush
  package typealias Failure = ToolError

  private let input: LineInput
  private let sealer: LineSealer

  /// Opens what the request names.
  package init(of sealing: PreparedSealing, console: Console) throws(ToolError) {
    sealer = try sealing.lineSealer(console: console)
    input = try LineInput(path: sealing.request.input, skipping: sealing.request.skippedLines)
    try Interruption.watch()
  }

  /// Ends the process if a signal has ended the input.
  package func endIfInterrupted() { if input.wasInterrupted { Interruption.die() } }

  /// Starts to read; call it once only, because the file is read from its current position.
  package func makeAsyncIterator() -> Iterator { Iterator(input: input, sealer: sealer) }

  /// Reads lines and seals them.
  package struct Iterator: AsyncIteratorProtocol {
    private let pipeline: OrderedPipeline<InputLine, SealedLine, ToolError>
    private var ready: ArraySlice<LinePush> = []

    fileprivate init(input: LineInput, sealer: LineSealer) {
      pipeline = OrderedPipeline(
        chunkLimit: ChunkLimit(size: LineInput.maximumLineSize), size: \.size, reading: input.read,
        work: { sealer.seal($0) })
    }

    /// The next message; nil after the last one.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ToolError) -> LinePush? {
      while ready.isEmpty {
        guard let lines = try await pipeline.next() else { return nil }
        ready = lines.flatMap(\.answer.pushes)[...]
      }
      return ready.popFirst()
    }
  }
}

extension LineAnswer {
  /// The line's messages, or its one failure.
  fileprivate var pushes: [LinePush] {
    switch result {
    case .failure(let error): [push(to: nil, result: .failure(error))]
    case .success(.one(let sealed, let device)): [push(to: device, result: .success(sealed))]
    case .success(.several(let answers)): answers.map { push(to: $0.device, result: $0.push) }
    }
  }

  private func push(to device: LineDevice?, result push: Result<SealedMessage, LineError>) -> LinePush {
    LinePush(
      line: line, id: id, name: device?.name, device: device?.device,
      isToStandard: device?.isStandard ?? false, push: push)
  }
}
