#if canImport(Darwin)
  internal import Foundation
  public import PushReceiver

  /// The texts of the app in which an extension is, from its `Localizable` table in the language that the system chose.
  public struct AppBundleStrings: LocalizedStrings {
    private let app: URL?

    /// Finds the app around this process's bundle, which is the app's own in the app.
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
      // The system keeps one bundle a path; a URL, unlike a bundle, may go to any thread.
      guard let bundle = app.flatMap(Bundle.init(url:)) else { return nil }
      let text = bundle.localizedString(forKey: key, value: Self.none, table: nil)
      return text == Self.none ? nil : text
    }

    /// How many folders up the app may be.
    private static let maximumDepth = 4

    /// What the system gives back for a key without a text; no translator writes it.
    private static let none = "\u{1}"
  }
#endif
