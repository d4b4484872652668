/// Why kept envelopes cannot be opened.
public enum KeptEnvelopesError: Error, Equatable, Sendable {
  /// The file is damaged; the next envelope begins it anew.
  case damaged
  /// The file is of a later version.
  case laterVersion
  /// The file, or its folder, cannot be read or written.
  case unavailable
}
