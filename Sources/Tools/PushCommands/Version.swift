/// The version of the tool, and of the package that it is from.
enum Version {
  static let text = "0.2.0"
}
