import PushCore
import PushKeys

/// Texts about suites.
enum SuiteText {
  /// Where to get a suite that this system's libraries lack.
  static let hint = "sealpush doctor shows what this system's libraries have"

  /// Whether a quantum computer could open recorded messages, and what that does not mean.
  static func quantumResistance(of suite: Suite) -> String {
    guard suite.isQuantumResistant else { return "no: a quantum computer could open messages recorded today" }
    return suite == .sharedChaChaPoly
      ? "yes, if the key itself was handed over in secret; a signature could still be forged"
      : "yes: messages recorded today stay sealed; a signature could still be forged"
  }
}

extension Suite {
  /// Checks that this system's libraries have the suite, before anything is asked, read or written.
  func checkAvailability() throws(ToolError) {
    guard !isAvailable else { return }
    throw ToolError(.failed, unavailability, hint: SuiteText.hint)
  }
}
