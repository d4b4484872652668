#if canImport(CryptoKit)
  // CryptoKit computes one message at a time.

  /// No computation is made in lanes.
  enum NoLanes {
    static var areOn: Bool {
      get { false }
      set {}
    }

    static var states: [(algorithm: String, state: LaneState)] { [] }
  }

  struct X25519Lanes {
    static let shared = X25519Lanes()

    func sharedSecrets(
      privateKeys: Span<UInt8>, points: [[UInt8]], into secrets: inout MutableSpan<UInt8>
    ) -> Bool { false }

    func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8]? { nil }
  }

  struct P256Lanes {
    static let shared = P256Lanes()

    func sharedSecrets(
      privateKeys: Span<UInt8>, publicKeys: ArraySlice<[UInt8]>, into secrets: inout MutableSpan<UInt8>
    ) -> Bool { false }

    func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8]? { nil }
  }

  struct Ed25519Lanes {
    static let shared = Ed25519Lanes()

    func signatures(
      on messages: [[UInt8]], privateKey: Span<UInt8>, publicKey: Span<UInt8>
    ) -> [[UInt8]]? { nil }
  }
#endif
