#if !canImport(CryptoKit)
  internal import CSodium

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
            checked.replaceItem(lane, with: output)
          } else {
            guard let answer = own(lane) else {
              isRight = false
              continue
            }
            isRight = isRight && (!isAnswer || ConstantTime.equal(output, answer.exposedBytes))
            checked.replaceItem(lane, with: answer.exposedBytes)
          }
        }
      }
      guard isRight else { return nil }
      return checked
    }

    /// Whether the library took a lane's input: it answers with four bits a lane, zero for success.
    private func isSuccess(_ lane: Int) -> Bool { status >> UInt32(4 * lane) & 0xf == 0 }
  }
#endif
