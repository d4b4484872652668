#if canImport(Darwin)
  // `Array.span` and `Array.mutableSpan` for systems before iOS 26 and macOS 26.
  @_exported public import ArraySpans
#endif
