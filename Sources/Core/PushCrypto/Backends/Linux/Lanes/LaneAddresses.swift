#if !canImport(CryptoKit)
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
