/// Where this module's algorithms come from on the running system, for reports.
package enum SystemLibraries {
  /// The libraries and the versions that run, which may be newer than those that the program was built with.
  package static var versions: [(name: String, version: String)] { Backend.libraries }

  /// The algorithms that X-Wing needs and the libraries lack; empty if X-Wing is available.
  package static var missingForXWing: [String] { Backend.XWing.missing }
}
