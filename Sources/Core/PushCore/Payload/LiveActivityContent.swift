extension LiveActivity {
  /// Makes a value whose state is encoded from the app's own type (`content-state`).
  ///
  /// ActivityKit decodes its type `ContentState` as a `JSONDecoder` does by default: a `Date` is the number of seconds
  /// since 2001, as it is here. ``JSONValue/init(encoding:)`` says which types of Foundation it cannot read. Throws an
  /// `EncodingError`, also if the state is not encoded as an object.
  public init(
    _ event: Event, timestamp: UnixTime, encoding contentState: some Encodable, staleDate: UnixTime? = nil,
    dismissalDate: UnixTime? = nil
  ) throws {
    self.init(
      event, timestamp: timestamp, contentState: try JSONObject(encoding: contentState), staleDate: staleDate,
      dismissalDate: dismissalDate)
  }

  /// Makes a value whose state and attributes are encoded from the app's own types (`content-state`, `attributes`).
  ///
  /// `attributesType` is the name of the attributes' type in the app. Both are encoded by the rules of
  /// ``init(_:timestamp:encoding:staleDate:dismissalDate:)``.
  public init(
    _ event: Event, timestamp: UnixTime, encoding contentState: some Encodable, staleDate: UnixTime? = nil,
    dismissalDate: UnixTime? = nil, attributesType: String, attributes: some Encodable
  ) throws {
    self.init(
      event, timestamp: timestamp, contentState: try JSONObject(encoding: contentState), staleDate: staleDate,
      dismissalDate: dismissalDate, attributesType: attributesType,
      attributes: try JSONObject(encoding: attributes))
  }
}
