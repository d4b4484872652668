/// The libraries that provide this module's algorithms on the running system, for reports.
package enum SystemLibraries {
  /// The libraries with their running versions, which may be newer than those that the program was built with.
  package static var versions: [(name: String, version: String)] { Backend.libraries }

  /// What batches compute in a processor's lanes, and why the rest is not; empty on Apple's systems.
  ///
  /// The first call loads the library, and tests it.
  package static var lanes: [(algorithm: String, state: LaneState)] { Backend.Lanes.states }

  /// The algorithms that X-Wing needs and the libraries lack; empty if X-Wing is available.
  package static var missingForXWing: [String] { Backend.XWing.missing }
}
