import SwiftUI

@main
struct LunchApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

  var body: some Scene {
    WindowGroup { LunchView(push: delegate.push) }
  }
}
