extension String {
  /// Whether a text is part of this one, byte by byte.
  ///
  /// Swift's own `contains` would link the engine of its regular expressions, a tenth of the static program.
  func has(_ part: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
  }
}
