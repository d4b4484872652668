import SealedPush
import SwiftUI

/// The app's one screen: whether pushes work, and what a developer asks first when they do not.
struct LunchView: View {
  let push: LunchPush?
  @State private var status = ""
  @State private var registration = RegistrationState()
  @State private var facts: [String] = []

  var body: some View {
    if let push {
      List {
        Button("Sign in") { run { try await push.signIn() } }
        Button("Follow today's lunch") { run { try await push.followLunch(at: "Analytical Engine") } }
        Button("Sign out") { run { try await push.signOut() } }
        Button("Register anew") { run { await push.registration.launch(as: Session.persons) } }
        Button("Read the log") { Task { facts = await push.facts() } }
        Text(status)
        Text("Pushes: \(registration.description)")
        Text(facts.joined(separator: "\n"))
      }
      .task { run { try await push.showKept() } }
      .task { for await state in await push.registration.states() { registration = state } }
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
