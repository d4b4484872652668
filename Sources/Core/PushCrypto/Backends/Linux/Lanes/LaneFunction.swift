#if !canImport(CryptoKit)
  internal import Synchronization

  /// A function of the library, judged by its answers.
  ///
  /// Before its first use, and in one call of eight afterwards, an answer is compared with that of the library that is used
  /// without lanes. After a wrong one the function is tested again, and not used any more unless it passes. Some versions of the
  /// library are wrong for rare points: a device that makes such a key must not end the use of lanes for all others.
  final class LaneFunction<Call>: @unchecked Sendable {
    private let call: Call?
    private let library: String
    private let isRight: (Call) -> Bool
    private let refusal: Mutex<LaneState?>
    private let callCount = Atomic(0)

    /// Looks a function up, whose type in C must be `Call`, and tests it: `test` says whether its answers are right.
    init(
      _ name: String, of library: Result<CryptoMB.Library, CryptoMB.NoLibrary>, test: @escaping (Call) -> Bool
    ) {
      isRight = test
      switch library {
      case .failure(let absence):
        call = nil
        self.library = ""
        refusal = Mutex(absence.state)
      case .success(let found):
        self.library = found.name
        call = found.function(name, as: Call.self)
        if let call {
          refusal = Mutex(test(call) ? nil : .wrongAnswers(found.name))
        } else {
          refusal = Mutex(.noFunction(found.name))
        }
      }
    }

    /// Whether it is used, or why it is not.
    var state: LaneState {
      guard CryptoMB.areOn else { return .off }
      return refusal.withLock { $0 } ?? .inUse(library)
    }

    /// Whether it is used.
    var isUsed: Bool { call != nil && refusal.withLock { $0 == nil } }

    /// Computes `count` outputs of `size` bytes, eight in each call, unless the lanes are not used.
    ///
    /// `round` makes one call for a range of positions, compares the answers of some lanes, and returns nil if one is wrong.
    /// Returns `false` if `outputs` must be computed without lanes.
    func run(
      count: Int, size: Int, into outputs: inout MutableSpan<UInt8>,
      round: (_ call: Call, _ positions: Range<Int>, _ compared: Range<Int>) -> Secret?
    ) -> Bool {
      guard isUsed, let call else { return false }
      for start in stride(from: 0, to: count, by: Lanes.width) {
        guard let answers = round(call, start..<min(start + Lanes.width, count), nextSample()) else {
          if !isRight(call) { refusal.withLock { $0 = .wrongAnswers(library) } }
          return false
        }
        let bytes = answers.exposedBytes
        for index in bytes.indices { outputs[start * size + index] = bytes[index] }
      }
      return true
    }

    /// The lanes whose answers are compared after the next call: one in each eighth call.
    private func nextSample() -> Range<Int> {
      let (turn, rest) = callCount.add(1, ordering: .relaxed).oldValue
        .quotientAndRemainder(dividingBy: Lanes.width)
      let lane = turn % Lanes.width
      return rest == 0 ? lane..<lane + 1 : 0..<0
    }
  }
#endif
