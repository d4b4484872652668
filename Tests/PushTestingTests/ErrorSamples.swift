import PushAttachments
import PushCore
import SealedPush
import PushFiles
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting

/// Errors of every public type, and of every case that has something to say.
enum ErrorSamples {
  /// All of them; what is from outside is `name`.
  static func all(_ name: String) -> [ErrorSample] {
    ofFiles(name) + ofKeys(name) + ofMessages(name) + ofDevices(name) + ofConfigurations
  }

  private static func samples(_ errors: [any Error]...) -> [ErrorSample] {
    errors.joined().map { ErrorSample(error: $0) }
  }

  /// Those that are about a file at a path.
  static func ofFiles(_ path: String) -> [ErrorSample] {
    let faults: [KeyFileFault] =
      fileErrors(path).map { .file($0) } + [
        .folderMissing, .tooPermissive(mode: 0o644), .wrongOwner, .passphraseNeeded, .notEncrypted,
        .wrongPassphrase, .damaged, .unreasonableParameters, .notEnoughMemory, .encryptionUnavailable,
        .keySet(.empty),
      ]
    let attachments: [FileError] = [
      .missing, .exists, .notRegularFile(.pipe), .notPermitted, .system(call: "open", errno: 5),
    ]
    return samples(
      faults.map { KeyFileError($0, path: path) },
      [
        RegistrationFileError.file(.missing, path: path),
        RegistrationFileError.line(3, .unsigned, path: path),
        RegistrationFileError.refused(.otherIdentity, path: path),
        SenderKeyFileError.file(.notPermitted, path: path),
        SenderKeyFileError.refused(.sameSerial, path: path),
        RecipientFileError.unreadable(errno: 2, path: path), RecipientFileError.line(1, .mixed, path: path),
      ],
      attachments.map { AttachmentError.unreadable($0, path: path) },
      attachments.map { AttachmentError.unwritable($0, path: path) })
  }

  private static func fileErrors(_ path: String) -> [FileError] {
    [
      .missing, .exists, .notRegularFile(.pipe), .folderWritableByOthers(path: path, mode: 0o777),
      .folderOfAnotherUser(path: path, owner: 7), .linkOfAnotherUser(path: path, owner: 7),
      .lockNotOwn(name: ".sealed-push.7.lock"), .notPermitted, .tooLarge, .busy, .notDurable,
      .system(call: "open", errno: 24),
    ]
  }

  /// Errors of values and configurations, which name what is wrong.
  private static var ofConfigurations: [ErrorSample] {
    samples([ConfigurationError("retries.jitter", mustBe: "a number from 0.0 to 1.0")])
  }

  private static func ofKeys(_ name: String) -> [ErrorSample] {
    let json = JSONError(.duplicateKey, at: 12)
    let sets: [KeySetError] = [
      .json(json), .notAKeySet, .unsupportedVersion, .empty, .tooManyKeys, .mixedRoles,
      .invalidSetMember(name),
      .misplacedNextKey, .privateKeyInPublicSet(index: 0), .missingPrivateKey(index: 1),
      .invalidMember(index: 2, member: name), .unknownMember(index: 3, member: name),
      .unknownMember(index: nil, member: name), .keyMismatch(index: 4), .duplicateKey, .collidingKeyIDs,
      .twoActiveKeys, .noActiveKey, .keyEnded, .keyNotBegun, .wrongRole, .noPublicHalf, .noKeyForSuite,
      .noSuchKey, .suitePresent, .graceTooShort, .serialNotGreater, .hardware("no room"),
      .nextKeyTooYoung(until: .distantFuture),
    ]
    let thumbprints = [Thumbprint([UInt8](repeating: 7, count: 32))].compactMap(\.self)
    let signed: [SignedSetError] = [
      .tooLarge, .malformedJWS, .malformedHeader, .unsupportedAlgorithm, .wrongType, .unknownSigner,
      .badSignature, .malformedClaims, .unsupportedVersion, .invalidKeys(.empty), .wrongKeys, .otherTopic,
      .olderSerial(last: 7), .sameSerial, .malformedEnrolment, .malformedLeave, .malformedReceipt,
      .malformedTokens,
      .unsigned, .unsupportedService,
      .mismatch(member: name),
      .otherAudience, .wrongChallenge, .otherIdentity, .notRegistered, .identityInUse(registration: name),
      .tokenInUse(registration: name), .keyInUse(registration: name), .suspended,
    ]
    let privateKeys: [PrivateKeyError] = [
      .malformed, .encrypted, .notPrivate, .unsupported, .notPKCS8, .notOneKey, .mismatch, .jwk(.empty),
    ]
    return samples(
      sets + thumbprints.map { .wrongKeyID(index: 5, thumbprint: $0) }, signed, privateKeys, fileErrors(name),
      [KeyFileFault.damaged, KeyFileFault.file(.missing)],
      [KeyStoreError.locked, .unavailable], [ProofRefusal.otherAudience, .otherIdentity, .inactiveKey])
  }

  private static var base64: Base64URLError {
    do throws(Base64URLError) {
      _ = try Base64URL.decode("AA==")
    } catch {
      return error
    }
    preconditionFailure("padding is none of its characters")
  }

  private static func ofMessages(_ name: String) -> [ErrorSample] {
    let json = JSONError(.duplicateKey, at: 12)
    let attachments: [AttachmentError] =
      AttachmentMember.allCases.map { .invalidMember($0) } + [
        .notADescriptor, .missingURL, .tooMany, .tooLarge(limit: 9), .malformedBlob, .notAuthentic,
        .wrongSize,
        .wrongDigest, .cryptoUnavailable,
      ]
    let urls: [AttachmentURLError] = [
      .tooLong, .badCharacter, .notHTTPS, .hasCredentials, .hasFragment, .badPort, .badHost, .privateHost,
    ]
    let headers: [HeaderError] = [
      .priority(.low, .background), .collapseID, .expirationOutsideLifetime, .mustBeNowOrNever(.pushToTalk),
    ]
    let seals: [SealError] =
      [
        .payload(.invalid(key: "aps.badge", rule: .mustBeInteger)), .nothingToShow, .reservedKey(name),
        .attachments(.tooMany), .attachmentsOfData, .tooLarge(bytes: 9, limit: 8), .anonymousRequest,
        .tooLargeForFCM(bytes: 9, limit: 8), .notCarriedByFCM(.voip), .topicOfOther(.apns),
        .topicOfOther(.fcm),
        .recipientRefused, .cryptoUnavailable,
      ] + headers.map { .headers($0) }
    let lines: [RecipientFileError.Fault] = [
      .tooLong, .json(json, column: 3), .unsupportedVersion, .invalidMember(name), .unknownMember(name),
      .keys(.empty),
      .mixed, .registration(.unsigned), .duplicateName(firstLine: 1), .duplicateToken(firstLine: 1),
      .duplicateKey(firstLine: 1),
    ]
    let formats: [EnvelopeFormatError] = [
      .absent, .malformed(member: "data"), .tooLarge, .notAuthentic, .wrongKey, .unavailable,
    ]
    return samples(
      [json, base64, PayloadError.json(json), PayloadError.invalid(key: "aps", rule: .missing)],
      [ValueError("key ID", is: "11 characters", notAt: 3)],
      [
        EnvelopeError.tooLarge, .notBase64URL(base64), .truncated, .unsupportedVersion(2),
        .unsupportedSuite(9), .badEncapsulatedKey,
      ],
      [
        SealedContentError.truncated, .unknownType(9), .reservedFlags, .timeOutOfRange, .lifetimeOutOfRange,
        .badPadding,
      ],
      attachments, urls, headers, seals, lines, formats,
      [DeviceError.noKeys, .keys(.noActiveKey), .otherTopic, .seal(.nothingToShow), .carriedByFCM])
  }

  private static func ofDevices(_ name: String) -> [ErrorSample] {
    let tables: [StringTableError] = [
      .tooLarge, .tooManyEntries, .invalidText(line: 2), .unexpectedCharacter(line: 2),
      .unexpectedEnd(line: 2),
      .missingSemicolon(line: 2), .invalidEscape(line: 2), .xmlPropertyList, .malformedBinaryPropertyList,
      .json(.duplicateKey, line: 2), .unsupportedVersion, .malformedCatalog, .malformedEntry(key: name),
    ]
    var host: [any Error] = [
      PushRefusal.tooLarge(bytes: 4097), PushRefusal.json(JSONError(.tooDeep, at: 1)), PushRefusal.noAPS,
      ServiceError.noReceiver, ReplayStoreError.unavailable,
    ]
    let registration: [RegistrationFailure] = [
      .noToken("it did not answer"), .loginNeeded, .tooMany(retryAfter: .seconds(9)),
      .refused(reason: "suspended"), .noAnswer, .notFound, .status(503), .malformedAnswer,
      .unreachable("offline"), .keys("locked"), .file(.missing), .superseded,
    ]
    #if !canImport(Darwin)
      host += [
        ReactionError.notVisible, ReactionError.noSuchButton, ReactionError.takesNoText,
        ReactionError.notReported, ReactionError.noDelegate, ExtensionChild.Failure.notStarted,
        ExtensionChild.Failure.noAnswer,
      ]
    #endif
    return samples(
      DegradeReason.allCases, [StepFailure.failed, .late, .nothingToShow], tables, host, registration,
      [HandlerFault.neverCalled, .calledTwice, .calledFromTwoThreads, .calledLate],
      [ReceiverFileError.missing, .damaged, .laterVersion, .notPermitted, .unavailable])
  }
}
