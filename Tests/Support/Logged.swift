/// The ways in which a log may show a value whole.
public func logged(_ value: Any) -> [String] {
  var dumped = ""
  dump(value, to: &dumped)
  return ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"]
}
