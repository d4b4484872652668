public import Foundation

/// The domain of the errors of this module.
public let UNErrorDomain = "UNErrorDomain"

/// Why an operation on a notification failed.
///
/// Models Apple's pages "UNError" and "UNError.Code": an error that Foundation bridges from its domain and a code.
public struct UNError: _BridgedStoredNSError {
  /// The error as Foundation's.
  public let _nsError: NSError

  /// Takes an error of this domain.
  public init(_nsError error: NSError) {
    precondition(error.domain == UNErrorDomain, "the error is of this domain")
    _nsError = error
  }

  /// The domain of the errors of this module, for Foundation.
  public static var _nsErrorDomain: String { UNErrorDomain }

  /// The domain of the errors of this module.
  public static var errorDomain: String { UNErrorDomain }

  /// The reason of an error.
  ///
  /// Apple may add cases, so a `switch` over it in another package needs `@unknown default`, here as on Apple's systems.
  @nonexhaustive
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = UNError

    /// The app is not allowed to show notifications.
    case notificationsNotAllowed = 1
    /// An attachment's URL does not name a readable file.
    case attachmentInvalidURL = 100
    /// An attachment's type is unknown.
    case attachmentUnrecognizedType = 101
    /// An attachment is larger than its type allows.
    case attachmentInvalidFileSize = 102
    /// An attachment is not in the system's store.
    case attachmentNotInDataStore = 103
    /// An attachment could not be moved into the system's store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// An attachment's file is corrupt.
    case attachmentCorrupt = 105
    /// A notification lacks the date that it needs.
    case notificationInvalidNoDate = 1400
    /// A notification lacks the content that it needs.
    case notificationInvalidNoContent = 1401
    /// An object is not allowed to decorate a content.
    case contentProvidingObjectNotAllowed = 1500
    /// An object is not valid for decorating a content.
    case contentProvidingInvalid = 1501
    /// The number for the app's icon is invalid.
    case badgeInputInvalid = 1600
  }
}

extension UNError {
  /// The app is not allowed to show notifications.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }

  /// An attachment's URL does not name a readable file.
  public static var attachmentInvalidURL: Code { .attachmentInvalidURL }

  /// An attachment's type is unknown.
  public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }

  /// An attachment is larger than its type allows.
  public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }

  /// An attachment is not in the system's store.
  public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }

  /// An attachment could not be moved into the system's store.
  public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }

  /// An attachment's file is corrupt.
  public static var attachmentCorrupt: Code { .attachmentCorrupt }

  /// A notification lacks the date that it needs.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }

  /// A notification lacks the content that it needs.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }

  /// An object is not allowed to decorate a content.
  public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }

  /// An object is not valid for decorating a content.
  public static var contentProvidingInvalid: Code { .contentProvidingInvalid }

  /// The number for the app's icon is invalid.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }
}
