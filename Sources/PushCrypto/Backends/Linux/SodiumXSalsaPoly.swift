internal import CSodium

/// XSalsa20-Poly1305 from libsodium.
///
/// Lengths were checked by ``XSalsa20Poly1305``.
enum SodiumXSalsaPoly {
  static var isAvailable: Bool { true }

  static func seal(
    _ plaintext: Span<UInt8>, _ key: Span<UInt8>, _ nonce: Span<UInt8>, into box: inout MutableSpan<UInt8>
  ) {
    Sodium.start()
    unsafe box.withPointer { output, _ in
      unsafe AEADPointers.with(text: plaintext, data: Span(), key: key, nonce: nonce) { input in
        _ = unsafe crypto_secretbox_easy(
          output, input.text, UInt64(input.textCount), input.nonce, input.key)
      }
    }
  }

  static func open(
    _ box: Span<UInt8>, _ key: Span<UInt8>, _ nonce: Span<UInt8>, into plaintext: inout MutableSpan<UInt8>
  ) -> Bool {
    Sodium.start()
    return unsafe plaintext.withPointer { output, _ in
      unsafe AEADPointers.with(text: box, data: Span(), key: key, nonce: nonce) { input in
        unsafe crypto_secretbox_open_easy(
          output, input.text, UInt64(input.textCount), input.nonce, input.key) == 0
      }
    }
  }
}
