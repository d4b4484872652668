internal import PushCore
internal import PushCrypto
internal import PushKeys

extension Sealer {
  /// Seals jobs, each of which `prepare` makes ready, and returns their results in the same order.
  func sealAll<Job, Message>(
    _ jobs: [Job], prepare: (Job) throws(SealError) -> ReadyMessage<Message>
  ) -> [Result<Message, SealError>] {
    stride(from: 0, to: jobs.count, by: SealingBatch.maximumCount).flatMap { start in
      sealBatch(jobs[start...].prefix(SealingBatch.maximumCount), prepare: prepare)
    }
  }

  /// Seals one message.
  func seal<Message>(_ ready: ReadyMessage<Message>) throws(SealError) -> Message {
    guard var batch = try? SealingBatch(for: ready.recipient, random: random) else {
      throw SealError(lacking: ready.recipient.suite)
    }
    let content = contents(of: [ready])[0]
    return try seal(content, of: ready, in: &batch)
  }

  /// Seals messages that fit in one batch of ephemeral keys.
  private func sealBatch<Job, Message>(
    _ jobs: ArraySlice<Job>, prepare: (Job) throws(SealError) -> ReadyMessage<Message>
  ) -> [Result<Message, SealError>] {
    let prepared = jobs.map { job in result { () throws(SealError) in try prepare(job) } }
    var sealed = seal(prepared.compactMap { try? $0.get() }).makeIterator()
    return prepared.map { ready in
      ready.flatMap { _ in
        guard let result = sealed.next() else { preconditionFailure("each message has its result") }
        return result
      }
    }
  }

  /// Seals prepared messages: eight are signed together, and so are their keys agreed on.
  private func seal<Message>(_ all: [ReadyMessage<Message>]) -> [Result<Message, SealError>] {
    guard var batch = try? SealingBatch(for: all.map(\.recipient), random: random) else {
      return all.map { _ in .failure(.cryptoUnavailable) }
    }
    var results: [Result<Message, SealError>] = []
    results.reserveCapacity(all.count)
    for start in stride(from: 0, to: all.count, by: Lanes.width) {
      let group = all[start...].prefix(Lanes.width)
      for (ready, content) in zip(group, contents(of: group)) {
        do throws(SealError) {
          results.append(.success(try seal(content, of: ready, in: &batch)))
        } catch {
          results.append(.failure(error))
        }
      }
    }
    return results
  }

  /// Content, signed or not -> plaintext, in its place in the envelope -> envelope -> what is sent.
  private func seal<Message>(
    _ content: SealedContent, of ready: ReadyMessage<Message>, in batch: inout SealingBatch
  ) throws(SealError) -> Message {
    var unsealed = content.unsealed(paddedTo: ready.draft.paddedSize, for: ready.recipient.suite)
    do throws(CryptoError) {
      return ready.carry(try ready.recipient.seal(inPlace: &unsealed, for: ready.topic, in: &batch))
    } catch {
      throw error == .invalidPublicKey ? .recipientRefused : SealError(lacking: ready.recipient.suite)
    }
  }

  /// The messages' contents, signed together if the sealer signs.
  private func contents<Message>(of messages: ArraySlice<ReadyMessage<Message>>) -> [SealedContent] {
    let contents = messages.map { SealedContent(type: $0.type, claims: $0.claims, content: $0.draft.content) }
    guard let signingKey else { return contents }
    let keyID = signingKey.publicKey.thumbprint.keyID
    var inputs = zip(contents, messages).map { content, ready in
      content.signatureInput(for: ready.recipient.binding(for: ready.topic), signer: keyID)
    }
    defer { for index in inputs.indices { inputs[index].wipe() } }
    return zip(contents, signingKey.sign(inputs)).map { content, bytes in
      guard let signature = SealedContent.Signature(keyID: keyID, bytes: bytes) else {
        preconditionFailure("an Ed25519 signature has 64 bytes")
      }
      return content.signed(by: signature)
    }
  }
}

/// The result of work that throws a ``SealError``.
private func result<Success>(of work: () throws(SealError) -> Success) -> Result<Success, SealError> {
  do throws(SealError) {
    return .success(try work())
  } catch {
    return .failure(error)
  }
}
