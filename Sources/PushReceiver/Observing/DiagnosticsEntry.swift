public import PushEnvelope

/// A line of a diagnostics log.
///
/// Its words are codes and the names of steps, printable and of at most 64 bytes. A later version may have written
/// codes that this one does not know.
public struct DiagnosticsEntry: Hashable, Sendable {
  /// What a line is about.
  public enum Event: Hashable, Sendable {
    /// A push was not opened: the raw value of its ``DegradeReason``.
    case degraded(reason: String)
    /// A step after opening changed nothing: its name, and the code of its ``StepFailure``.
    case stepFailed(step: String, failure: String)
    /// Something else: the raw value of a ``DiagnosticsNote``.
    case noted(String)
  }

  /// When.
  public let time: UnixTime

  /// What it is about.
  public let event: Event

  /// The device's key that the envelope names; null if there was no telling.
  public let keyID: KeyID?

  /// The message's identity; null if it is not known.
  public let messageID: MessageID?

  /// The format of another system whose envelope was not opened; null of anything else.
  public let format: String?

  /// Why it was not: the code of a ``FormatSighting/Fate``, or `over`; null of anything else.
  public let formatFault: String?

  /// Why a push was not opened; null of another event, and of a reason that a later version has.
  public var degradeReason: DegradeReason? {
    if case .degraded(let reason) = event { DegradeReason(rawValue: reason) } else { nil }
  }

  init(
    time: UnixTime, event: Event, keyID: KeyID? = nil, messageID: MessageID? = nil, format: String? = nil,
    formatFault: String? = nil
  ) {
    self.time = time
    self.event = event.printable
    self.keyID = keyID
    self.messageID = messageID
    self.format = format.map(Self.printable)
    self.formatFault = formatFault.map(Self.printable)
  }

  init(_ event: Event, of report: ReceptionReport) {
    let fault = report.format?.fault
    self.init(
      time: report.time, event: event, keyID: report.keyID, messageID: report.messageID,
      format: fault == nil ? nil : report.format?.name, formatFault: fault)
  }

  /// The length of a word that nothing is cut from, in bytes.
  static let maximumWordSize = 64
}

extension DiagnosticsEntry.Event {
  fileprivate var printable: Self {
    switch self {
    case .degraded(let reason): .degraded(reason: DiagnosticsEntry.printable(reason))
    case .stepFailed(let step, let failure):
      .stepFailed(
        step: DiagnosticsEntry.printable(step), failure: DiagnosticsEntry.printable(failure))
    case .noted(let note): .noted(DiagnosticsEntry.printable(note))
    }
  }
}

extension DiagnosticsEntry {
  /// The beginning of a word, with a question mark for each character that is not to be seen.
  static func printable(_ word: String) -> String {
    var printable = ""
    for scalar in word.unicodeScalars {
      let scalar = isVisible(scalar) ? scalar : "?"
      guard printable.utf8.count + scalar.utf8.count <= DiagnosticsEntry.maximumWordSize else { break }
      printable.unicodeScalars.append(scalar)
    }
    return printable
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
