#if canImport(Darwin)
  internal import Foundation
  public import PushReceiver

  /// The texts of the app that contains an extension, from its `Localizable` table, in the app's language that the
  /// person prefers.
  ///
  /// The extension's own languages do not matter.
  public struct AppBundleStrings: LocalizedStrings {
    private let app: URL?

    /// Finds the app around this process's bundle; in the app itself, that is the app's own bundle.
    public init() { self.init(around: Bundle.main.bundleURL) }

    /// Finds the app around a bundle: `App.app/PlugIns/Extension.appex` on iOS, with `Contents` between on macOS.
    init(around bundle: URL) {
      var candidate = bundle.standardizedFileURL
      for _ in 0..<Self.maximumDepth where candidate.pathExtension != "app" {
        candidate.deleteLastPathComponent()
      }
      app = candidate.pathExtension == "app" ? candidate : nil
    }

    /// The text of a key as the translator wrote it; nil if the app has none.
    public func format(forKey key: String) -> String? {
      // The system keeps one bundle per path. A URL, unlike a bundle, may go to any thread.
      guard let bundle = app.flatMap(Bundle.init(url:)) else { return nil }
      // On its own, another bundle offers only the languages of the main bundle, which is the extension's.
      let language = Bundle.preferredLocalizations(from: bundle.localizations, forPreferences: nil).first
      let folder = language.flatMap { bundle.url(forResource: $0, withExtension: "lproj") }
      let text = folder.flatMap(Bundle.init(url:)).flatMap { Self.text(forKey: key, in: $0) }
      return text ?? Self.text(forKey: key, in: bundle)
    }

    private static func text(forKey key: String, in bundle: Bundle) -> String? {
      let text = bundle.localizedString(forKey: key, value: none, table: nil)
      return text == none ? nil : text
    }

    /// The most folders to go up in search of the app.
    private static let maximumDepth = 4

    /// The value that the system returns for a key without a text; no translator would write it.
    private static let none = "\u{1}"
  }
#endif
