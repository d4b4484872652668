import SwiftUI

/// The app's one screen.
struct LunchView: View {
  let device: Device?
  @State private var status = ""
  @State private var push = PushState()

  var body: some View {
    if let device {
      List {
        Button("Sign in") { run { try await device.signIn() } }
        Button("Follow today's lunch") { run { try await device.followLunch(at: "Analytical Engine") } }
        Button("Sign out") { run { try await device.signOut() } }
        Text(status)
        Text(push.description)
      }
      .task { for await state in await device.states() { push = state } }
      .task {
        do {
          try await device.showKept()
        } catch {
          status = "What came before the first unlock is not shown: \(error)"
        }
      }
    } else {
      Text("An entitlement or a resource is missing.")
    }
  }

  private func run(_ action: @escaping @Sendable () async throws -> Void) {
    status = "…"
    Task {
      do {
        try await action()
        status = "Done."
      } catch {
        status = "Failed: \(error)"
      }
    }
  }
}
