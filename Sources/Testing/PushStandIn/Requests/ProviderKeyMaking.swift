private import PushNetwork

extension ProviderKey {
  /// Makes a team's key for a test that has no key from Apple: the key to verify tokens with, and the text of a `.p8`
  /// file to sign them with.
  ///
  /// The IDs are ten uppercase letters and digits.
  public static func generate(
    keyID: String = "ABCDE12345", teamID: String = "FGHIJ67890"
  ) -> (key: ProviderKey, p8: [UInt8]) {
    let pair = PrivateKeyHandle.generate()
    return (ProviderKey(keyID: keyID, teamID: teamID, point: pair.point), pair.pem)
  }
}
