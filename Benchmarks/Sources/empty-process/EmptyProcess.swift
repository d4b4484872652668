import Footprint

/// A Swift process that does nothing, to hold the others against.
@main
enum EmptyProcess {
  static func main() { Footprint.report() }
}
