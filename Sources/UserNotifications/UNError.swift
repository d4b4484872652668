public import Foundation

/// The domain of the errors of this module.
public let UNErrorDomain = "UNErrorDomain"

/// Why something about a notification was refused.
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

  /// Which of the reasons it is.
  ///
  /// Apple may add cases, so a `switch` over it in another package needs `@unknown default`, here as there.
  @nonexhaustive
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error that has such codes.
    public typealias _ErrorType = UNError

    /// The app may not show notifications.
    case notificationsNotAllowed = 1
    /// An attachment's URL names no file that can be read.
    case attachmentInvalidURL = 100
    /// An attachment's type is not among the known ones.
    case attachmentUnrecognizedType = 101
    /// An attachment is larger than its type allows.
    case attachmentInvalidFileSize = 102
    /// An attachment is not in the system's store.
    case attachmentNotInDataStore = 103
    /// An attachment could not be moved into the system's store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// An attachment's file is broken.
    case attachmentCorrupt = 105
    /// A notification has no date, and needs one.
    case notificationInvalidNoDate = 1400
    /// A notification has nothing to show, and needs something.
    case notificationInvalidNoContent = 1401
    /// An object may not decorate a content.
    case contentProvidingObjectNotAllowed = 1500
    /// An object cannot decorate a content as it is.
    case contentProvidingInvalid = 1501
    /// A number for the app's icon is not one.
    case badgeInputInvalid = 1600
  }
}

extension UNError {
  /// The app may not show notifications.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }

  /// An attachment's URL names no file that can be read.
  public static var attachmentInvalidURL: Code { .attachmentInvalidURL }

  /// An attachment's type is not among the known ones.
  public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }

  /// An attachment is larger than its type allows.
  public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }

  /// An attachment is not in the system's store.
  public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }

  /// An attachment could not be moved into the system's store.
  public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }

  /// An attachment's file is broken.
  public static var attachmentCorrupt: Code { .attachmentCorrupt }

  /// A notification has no date, and needs one.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }

  /// A notification has nothing to show, and needs something.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }

  /// An object may not decorate a content.
  public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }

  /// An object cannot decorate a content as it is.
  public static var contentProvidingInvalid: Code { .contentProvidingInvalid }

  /// A number for the app's icon is not one.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }
}
