import SealedPush
import SwiftUI

@main
struct LunchApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
  @Environment(\.scenePhase) private var phase

  var body: some Scene {
    WindowGroup { LunchView(push: delegate.push) }
      .onChange(of: phase) { SharedPush.presence.appIsInFront = phase == .active }
  }
}
