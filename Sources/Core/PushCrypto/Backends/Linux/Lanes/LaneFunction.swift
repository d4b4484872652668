#if !canImport(CryptoKit)
  internal import CSodium
  internal import Synchronization

  /// A function of the library, judged by its answers.
  ///
  /// Before its first use, and in one call of eight afterwards, an answer is compared with that of the library that is used
  /// without lanes. After a wrong one the function is not used any more.
  final class LaneFunction<Call>: @unchecked Sendable {
    private let call: Call?
    private let library: String
    private let refusal: Mutex<LaneState?>
    private let callCount = Atomic(0)

    /// Looks a function up, whose type in C must be `Call`, and tests it: `test` says whether its answers are right.
    init(_ name: String, of library: Result<CryptoMB.Library, CryptoMB.NoLibrary>, test: (Call) -> Bool) {
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
          refusal.withLock { $0 = .wrongAnswers(library) }
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

  /// What one call answered: an output of `size` bytes for each lane, which is wiped afterwards.
  struct LaneAnswers: ~Copyable {
    private let outputs: Secret
    private let size: Int
    private let status: UInt32

    /// Calls the library, which writes eight outputs of `size` bytes, and clears the stack below, where it leaves secrets.
    init(size: Int, from call: (LaneOutputs) -> UInt32) {
      var status: UInt32 = 0
      outputs = Secret(count: Lanes.width * size) { outputs in
        status = unsafe outputs.withPointer { start, _ in
          unsafe withLaneAddresses({ unsafe start + $0 * size }) { unsafe call($0) }
        }
      }
      self.size = size
      self.status = status
      sodium_stackzero(Self.stackSize)
    }

    /// The library was seen to leave secrets 16 KiB deep.
    private static let stackSize = 32 << 10

    /// The outputs of the first `count` lanes; nil if a compared one is not what `own` computes for that lane.
    ///
    /// A lane whose input the library refused, or is not for the library, gets what `own` computes.
    func checked(
      count: Int, comparing compared: Range<Int>, isForLibrary: (_ lane: Int) -> Bool = { _ in true },
      own: (_ lane: Int) -> Secret?
    ) -> Secret? {
      var isRight = true
      let checked = Secret(count: count * size) { checked in
        for lane in 0..<count {
          let output = outputs.exposedBytes.item(lane, size: size)
          let isAnswer = isSuccess(lane) && isForLibrary(lane)
          if isAnswer, !compared.contains(lane) {
            Self.copy(output, to: lane, of: &checked)
          } else {
            guard let answer = own(lane) else {
              isRight = false
              continue
            }
            isRight = isRight && (!isAnswer || ConstantTime.equal(output, answer.exposedBytes))
            Self.copy(answer.exposedBytes, to: lane, of: &checked)
          }
        }
      }
      guard isRight else { return nil }
      return checked
    }

    private static func copy(_ bytes: Span<UInt8>, to lane: Int, of all: inout MutableSpan<UInt8>) {
      for index in bytes.indices { all[lane * bytes.count + index] = bytes[index] }
    }

    /// Whether the library took a lane's input: it answers with four bits a lane, zero for success.
    private func isSuccess(_ lane: Int) -> Bool { status >> UInt32(4 * lane) & 0xf == 0 }
  }

  /// The addresses of eight inputs, as a function of the library takes them.
  typealias LaneInputs = UnsafePointer<UnsafePointer<UInt8>?>

  /// The addresses of eight outputs.
  typealias LaneOutputs = UnsafePointer<UnsafeMutablePointer<UInt8>?>

  extension LaneOutputs {
    /// The address of one output.
    func start(of lane: Int) -> UnsafeMutablePointer<UInt8> {
      guard let start = unsafe self[lane] else { preconditionFailure("each lane has an address") }
      return unsafe start
    }
  }

  extension Span<UInt8> {
    /// Calls `body` with the addresses of up to eight consecutive items; the lanes that are left get the last item again.
    func withLanes<Result>(size: Int, _ body: (LaneInputs) -> Result) -> Result {
      unsafe withPointer { start, count in
        let last = count / size - 1
        return unsafe withLaneAddresses({ unsafe start + Swift.min($0, last) * size }) { unsafe body($0) }
      }
    }
  }

  /// Calls `body` with eight addresses.
  func withLaneAddresses<Address, Result>(
    _ address: (Int) -> Address, _ body: (UnsafePointer<Address?>) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Address?.self, capacity: Lanes.width) { addresses in
      for lane in 0..<Lanes.width { unsafe addresses.initializeElement(at: lane, to: address(lane)) }
      defer { unsafe addresses.deinitialize() }
      guard let start = addresses.baseAddress else { preconditionFailure("eight addresses have an address") }
      return unsafe body(UnsafePointer(start))
    }
  }
#endif
