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
  ///
  /// The attributes are sealed, and ActivityKit decodes an empty object in their place. So a type with required members is
  /// refused with an `EncodingError`: iOS would drop such a start without a word. Make each member optional, or give it a value in
  /// an `init(from:)`.
  public init(
    _ event: Event, timestamp: UnixTime, encoding contentState: some Encodable, staleDate: UnixTime? = nil,
    dismissalDate: UnixTime? = nil, attributesType: String, attributes: some Codable
  ) throws {
    try Self.checkThatNothingIsRequired(of: attributes, named: attributesType)
    self.init(
      event, timestamp: timestamp, contentState: try JSONObject(encoding: contentState), staleDate: staleDate,
      dismissalDate: dismissalDate, attributesType: attributesType,
      attributes: try JSONObject(encoding: attributes))
  }

  /// Checks that an empty object can be decoded in place of the attributes.
  private static func checkThatNothingIsRequired<Attributes: Codable>(
    of attributes: Attributes, named type: String
  ) throws(EncodingError) {
    do {
      _ = try JSONObject().decode(as: Attributes.self)
    } catch {
      let reason = "\(type) has required members, and iOS decodes an empty object where its sealed data was"
      throw .invalidValue(attributes, EncodingError.Context(codingPath: [], debugDescription: reason))
    }
  }
}
