/// What this build cannot do without libsodium.
enum LackingLibrary {
  /// What is wrong, and how to fix it; nil if nothing is missing.
  static let text: String? = {
    #if os(macOS) && !Sodium
      "this needs libsodium: brew install libsodium, then build sealpush with --traits Sodium"
    #else
      nil
    #endif
  }()
}
