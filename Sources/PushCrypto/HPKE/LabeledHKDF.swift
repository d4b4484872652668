/// HKDF with HPKE's labels (RFC 9180, 4).
struct LabeledHKDF {
  let suiteID: [UInt8]
  var hmac = HMACSHA256()

  /// LabeledExtract(salt, label, ikm):
  /// labeled_ikm = concat("HPKE-v1", suite_id, label, ikm); return Extract(salt, labeled_ikm).
  func extract(salt: Span<UInt8>, _ label: StaticString, _ ikm: Span<UInt8>) -> Secret {
    HKDFSHA256.extract(salt: salt, by: hmac) { hmac in
      hmac.update("HPKE-v1")
      hmac.update(suiteID.span)
      hmac.update(label)
      hmac.update(ikm)
    }
  }

  /// LabeledExpand(prk, label, info, L):
  /// labeled_info = concat(I2OSP(L, 2), "HPKE-v1", suite_id, label, info); return Expand(prk, labeled_info, L).
  ///
  /// `info` supplies the info.
  func expand(
    _ prk: borrowing Secret, _ label: StaticString, _ count: Int,
    info: (borrowing HMACSHA256) -> Void = { _ in }
  ) -> Secret {
    hmac.start(key: prk.exposedBytes)
    return expand(label, count, info: info)
  }

  /// LabeledExpand with the same prk as the last one, which saves its setup.
  func expandAgain(_ label: StaticString, _ count: Int, info: (borrowing HMACSHA256) -> Void) -> Secret {
    hmac.restart()
    return expand(label, count, info: info)
  }

  private func expand(
    _ label: StaticString, _ count: Int, info: (borrowing HMACSHA256) -> Void
  ) -> Secret {
    HKDFSHA256.expand(count: count, by: hmac) { hmac in
      hmac.update(UInt8(truncatingIfNeeded: count >> 8))
      hmac.update(UInt8(truncatingIfNeeded: count))
      hmac.update("HPKE-v1")
      hmac.update(suiteID.span)
      hmac.update(label)
      info(hmac)
    }
  }
}
