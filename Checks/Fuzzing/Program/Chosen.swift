import Harnesses

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The harness that the environment names in `FUZZ_TARGET`.
enum Chosen {
  private static let harness: Harness = {
    guard let name = unsafe getenv("FUZZ_TARGET").map({ unsafe String(cString: $0) }),
      let harness = (Harness.all + Harness.planted).first(where: { $0.name == name })
    else {
      for harness in Harness.all { print(harness.name) }
      exit(64)
    }
    return harness
  }()

  /// Tests an input, and traps if a property is broken.
  static func run(_ input: [UInt8]) {
    do {
      try harness.run(input)
    } catch {
      fatalError("\(harness.name): \(error)")
    }
  }
}
