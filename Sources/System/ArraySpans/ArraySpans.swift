#if canImport(Darwin)
  // The standard library's `Array.span` and `Array.mutableSpan` need iOS 26 and macOS 26; the types that they return,
  // and a slice's span, do not. The two members must not be public: an app would see them beside the standard
  // library's.
  extension Array where Element: BitwiseCopyable {
    /// The elements, in place.
    @inlinable package var span: Span<Element> {
      @_lifetime(borrow self)
      get {
        // The slice shares this array's storage, which lives as long as the array.
        let slice = self[...]
        return unsafe _overrideLifetime(slice.span, borrowing: self)
      }
    }

    /// The elements, to be changed in place.
    @inlinable package var mutableSpan: MutableSpan<Element> {
      @_lifetime(&self)
      mutating get {
        // The storage is unique from here on, and stays where it is while the span borrows the array.
        let buffer = unsafe withUnsafeMutableBufferPointer { buffer in unsafe buffer }
        return unsafe _overrideLifetime(MutableSpan(_unsafeElements: buffer), mutating: &self)
      }
    }
  }
#endif
