extension Duration {
  /// The number of seconds, rounded up.
  var wholeSeconds: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
