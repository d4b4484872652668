/// Why the figures would not be what the tables say they are.
enum BenchmarkError: Error {
  /// A message was not opened, or not for the first time.
  case notOpened
  /// A primitive of the system's libraries reports an error.
  case primitiveFailed
}
