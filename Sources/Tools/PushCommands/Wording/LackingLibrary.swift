/// What this build cannot do because it has no libsodium.
enum LackingLibrary {
  /// What is wrong, and how to mend it; nil where nothing lacks.
  static let text: String? = {
    #if os(macOS) && !Sodium
      "this needs libsodium: brew install libsodium, then build sealpush with --traits Sodium"
    #else
      nil
    #endif
  }()
}
