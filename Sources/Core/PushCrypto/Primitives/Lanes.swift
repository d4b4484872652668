/// Computations for eight messages at a time, in the lanes of a processor's vector registers.
///
/// They are used for batches where a library and the processor allow it. Every message has the same bytes without them.
package enum Lanes {
  /// The number of computations that are made together.
  package static let width = 8

  /// Whether batches may use them; true unless the environment variable `SEALEDPUSH_LANES` is `off`.
  ///
  /// It can be changed at any time, from any thread.
  package static var areOn: Bool {
    get { Backend.Lanes.areOn }
    set { Backend.Lanes.areOn = newValue }
  }

  /// Whether a call for `count` computations may use lanes: a call takes as long as two of most computations alone.
  static func pay(for count: Int) -> Bool { count > 1 && areOn }
}

/// Whether an algorithm is computed in lanes, or why it is not.
package enum LaneState: Hashable, Sendable {
  /// It is, by the library of that name.
  case inUse(String)

  /// They were turned off.
  case off

  /// The processor, or the system for it, lacks AVX-512 with IFMA.
  case noInstructions

  /// None of the libraries is installed.
  case noLibrary

  /// The program is static, and loads no library.
  case isStatic

  /// The library of that name lacks the function.
  case noFunction(String)

  /// The library of that name answers otherwise than the library that is used without lanes.
  case wrongAnswers(String)

  /// Whether it is computed in lanes.
  package var isInUse: Bool {
    guard case .inUse = self else { return false }
    return true
  }
}

extension LaneState: CustomStringConvertible {
  /// The state in words.
  package var description: String {
    switch self {
    case .inUse(let library): library
    case .off: "nothing: SEALEDPUSH_LANES=off, or the program, turned it off"
    case .noInstructions: "nothing: the processor has no AVX-512 IFMA"
    case .noLibrary: "nothing: libcrypto_mb is not installed"
    case .isStatic: "nothing: a static program loads no library"
    case .noFunction(let library): "nothing: \(library) does not have it"
    case .wrongAnswers(let library): "nothing: \(library) gives wrong answers"
    }
  }
}
