// The static tool, which shows its errors itself, is a quarter smaller without Foundation.
#if !SEALEDPUSH_WITHOUT_FOUNDATION
  #if canImport(FoundationEssentials)
    public import protocol FoundationEssentials.LocalizedError
  #else
    public import protocol Foundation.LocalizedError
  #endif

  /// An error whose description is a sentence to show, also as Foundation's `localizedDescription`.
  public protocol DescribedError: LocalizedError, CustomStringConvertible {}

  extension DescribedError {
    /// The description.
    public var errorDescription: String? { description }

    /// Nothing: the description says it.
    public var failureReason: String? { nil }

    /// Nothing: the description says it.
    public var recoverySuggestion: String? { nil }

    /// Nothing.
    public var helpAnchor: String? { nil }
  }
#else
  /// An error whose description is a sentence to show.
  public protocol DescribedError: Error, CustomStringConvertible {}
#endif
