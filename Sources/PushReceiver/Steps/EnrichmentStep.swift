/// Something that makes an opened notification better before it is shown: a name from the contacts, an avatar.
///
/// Steps run one after the other, after the text is safe: whatever a step does, the person sees at least that. Each
/// gets an equal share of the time that is left for it and for those after it; one that throws, does not end in its
/// share, or leaves neither title nor body changes nothing.
public struct EnrichmentStep: Sendable {
  /// What the log calls it.
  public let name: String

  /// A part of a step, with a share of the time of its own.
  typealias Part = @Sendable (ShownContent, OpenedMessage) async throws -> ShownContent

  /// What the step consists of for a message.
  let parts: @Sendable (OpenedMessage) -> [Part]

  /// Makes a step, which changes what is shown of a message.
  public init(
    _ name: String,
    _ enrich:
      @escaping @Sendable (_ content: inout ShownContent, _ message: OpenedMessage) async throws -> Void
  ) {
    self.init(name) { _ in
      [
        { content, message in
          var content = content
          try await enrich(&content, message)
          return content
        }
      ]
    }
  }

  init(_ name: String, parts: @escaping @Sendable (OpenedMessage) -> [Part]) {
    self.name = name
    self.parts = parts
  }
}
