/// What stands between a record's content and its padding (RFC 8188, 2).
enum RecordDelimiter: UInt8 {
  /// Another record follows.
  case inner = 1
  /// It is the last one.
  case last = 2

  init(isLast: Bool) { self = isLast ? .last : .inner }
}
