#if !canImport(CryptoKit)
  /// Up to eight texts of any length for one call, in one buffer, which is wiped afterwards.
  struct LaneTexts: ~Copyable {
    private let bytes: Secret
    private let starts: [Int]
    private let sizes: [UInt32]

    /// Copies the texts.
    init(_ texts: ArraySlice<[UInt8]>) {
      var (starts, count) = ([Int](), 0)
      for text in texts {
        starts.append(count)
        count += text.count
      }
      self.starts = starts
      sizes = texts.map { UInt32($0.count) }
      bytes = Secret(count: count) { bytes in
        for (text, start) in zip(texts, starts) {
          for (index, byte) in text.enumerated() { bytes[start + index] = byte }
        }
      }
    }

    /// Calls `body` with the addresses and lengths of eight texts; the lanes that are left get the last text again.
    func withLanes<Result>(_ body: (LaneInputs, UnsafePointer<UInt32>) -> Result) -> Result {
      let (starts, sizes, last) = (starts, sizes, starts.count - 1)
      return unsafe bytes.exposedBytes.withPointer { bytes, _ in
        unsafe withLaneAddresses({ unsafe bytes + starts[min($0, last)] }) { texts in
          unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Lanes.width) { eight in
            for lane in 0..<Lanes.width {
              unsafe eight.initializeElement(at: lane, to: sizes[min(lane, last)])
            }
            guard let start = eight.baseAddress else { preconditionFailure("eight numbers have an address") }
            return unsafe body(texts, UnsafePointer(start))
          }
        }
      }
    }
  }
#endif
