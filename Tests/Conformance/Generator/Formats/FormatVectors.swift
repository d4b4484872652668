/// The vectors of all other systems' formats.
struct FormatVectors {
  func all() throws -> [FormatVector] {
    try OpenSSLVectors().all() + BarkVectors().all() + WebPushVectors().all() + WebPushDraftVectors().all()
      + SealedBoxVectors().all() + ZulipVectors().all() + HomeAssistantVectors().all()
  }
}
