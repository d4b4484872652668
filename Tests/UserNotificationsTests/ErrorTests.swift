import Foundation
import Testing
import UserNotifications

@Suite("errors")
struct ErrorTests {
  @Test("the codes have Apple's numbers")
  func rawValues() {
    let codes: [UNError.Code: Int] = [
      .notificationsNotAllowed: 1, .attachmentInvalidURL: 100, .attachmentUnrecognizedType: 101,
      .attachmentInvalidFileSize: 102, .attachmentNotInDataStore: 103,
      .attachmentMoveIntoDataStoreFailed: 104, .attachmentCorrupt: 105, .notificationInvalidNoDate: 1400,
      .notificationInvalidNoContent: 1401, .contentProvidingObjectNotAllowed: 1500,
      .contentProvidingInvalid: 1501, .badgeInputInvalid: 1600,
    ]
    for (code, number) in codes {
      #expect(code.rawValue == number)
      #expect(UNError(code).errorCode == number)
    }
  }

  @Test("the names on the error are the codes")
  func names() {
    #expect(UNError.notificationsNotAllowed == .notificationsNotAllowed)
    #expect(UNError.attachmentInvalidURL == .attachmentInvalidURL)
    #expect(UNError.attachmentUnrecognizedType == .attachmentUnrecognizedType)
    #expect(UNError.attachmentInvalidFileSize == .attachmentInvalidFileSize)
    #expect(UNError.attachmentNotInDataStore == .attachmentNotInDataStore)
    #expect(UNError.attachmentMoveIntoDataStoreFailed == .attachmentMoveIntoDataStoreFailed)
    #expect(UNError.attachmentCorrupt == .attachmentCorrupt)
    #expect(UNError.notificationInvalidNoDate == .notificationInvalidNoDate)
    #expect(UNError.notificationInvalidNoContent == .notificationInvalidNoContent)
    #expect(UNError.contentProvidingObjectNotAllowed == .contentProvidingObjectNotAllowed)
    #expect(UNError.contentProvidingInvalid == .contentProvidingInvalid)
    #expect(UNError.badgeInputInvalid == .badgeInputInvalid)
  }

  @Test("an error has its domain and what it was given")
  func bridging() {
    let error = UNError(.attachmentCorrupt, userInfo: [NSLocalizedDescriptionKey: "broken"])
    #expect(UNError.errorDomain == UNErrorDomain)
    #expect(error.localizedDescription == "broken")
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == "broken")
    let foundation = error as NSError
    #expect(foundation.domain == UNErrorDomain)
    #expect(foundation.code == 105)
  }

  @Test("errors are equal by what they say")
  func equality() {
    #expect(UNError(.attachmentCorrupt) == UNError(.attachmentCorrupt))
    #expect(UNError(.attachmentCorrupt) != UNError(.attachmentInvalidURL))
  }
}
