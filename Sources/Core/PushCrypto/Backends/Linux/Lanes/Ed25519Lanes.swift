#if !canImport(CryptoKit)
  /// Ed25519 for eight messages at a time.
  ///
  /// ``Ed25519`` has checked the lengths, and the public key is the private key's: a wrong one would give the key away.
  struct Ed25519Lanes: Sendable {
    /// With the library of this process.
    static let shared = Ed25519Lanes(of: CryptoMB.library)

    let sign: LaneFunction<Sign>

    /// Tests the function of a library, if there is one.
    init(of library: Result<CryptoMB.Library, CryptoMB.NoLibrary>) {
      sign = LaneFunction("mbx_ed25519_sign_mb8", of: library) { function in
        LaneTest.isPassed(items: LaneTest.messages) { messages in
          let privateKey = SystemRandom().secret(count: Ed25519.keySize)
          let publicKey = SodiumEd25519.publicKey(of: privateKey.exposedBytes)
          return Self.signatures(
            on: messages, by: function, privateKey: privateKey.exposedBytes, publicKey: publicKey.span,
            comparing: LaneTest.allLanes) != nil
        }
      }
    }

    /// Signs messages with one key; nil where the lanes are not used.
    func signatures(
      on messages: [[UInt8]], privateKey: Span<UInt8>, publicKey: Span<UInt8>
    ) -> [[UInt8]]? {
      guard sign.isUsed else { return nil }
      var bytes = [UInt8](repeating: 0, count: messages.count * Self.size)
      var signatures = bytes.mutableSpan
      let isDone = sign.run(count: messages.count, size: Self.size, into: &signatures) {
        function, positions, compared in
        Self.signatures(
          on: messages[positions], by: function, privateKey: privateKey, publicKey: publicKey,
          comparing: compared)
      }
      return isDone ? messages.indices.map { [UInt8](copying: bytes.span.item($0, size: Self.size)) } : nil
    }

    @safe struct Sign {
      let call:
        @convention(c) (
          LaneOutputs, LaneOutputs, LaneInputs, UnsafePointer<UInt32>, LaneInputs, LaneInputs
        ) -> UInt32
    }

    private static let size = Ed25519.signatureSize

    private static func signatures(
      on messages: ArraySlice<[UInt8]>, by function: Sign, privateKey: Span<UInt8>, publicKey: Span<UInt8>,
      comparing compared: Range<Int>
    ) -> Secret? {
      let texts = LaneTexts(messages)
      // A signature is R, then S.
      let answers = unsafe LaneAnswers(size: size) { signatures in
        unsafe withLaneAddresses({ unsafe signatures.start(of: $0) + size / 2 }) { halves in
          unsafe texts.withLanes { texts, sizes in
            unsafe privateKey.withLanes(size: Ed25519.keySize) { privateKeys in
              unsafe publicKey.withLanes(size: Ed25519.keySize) { publicKeys in
                unsafe function.call(signatures, halves, texts, sizes, privateKeys, publicKeys)
              }
            }
          }
        }
      }
      return answers.checked(count: messages.count, comparing: compared) { lane in
        let message = messages[messages.startIndex + lane]
        let signature = SodiumEd25519.sign(message.span, privateKey: privateKey, publicKey: publicKey)
        return Secret(copying: signature.span)
      }
    }
  }
#endif
