import ActivityKit
import SwiftUI
import WidgetKit

@main
struct LunchWidgets: WidgetBundle {
  var body: some Widget { LunchWidget() }
}

/// The Live Activity, which opens its sealed state each time that it is drawn.
struct LunchWidget: Widget {
  var body: some WidgetConfiguration {
    ActivityConfiguration(for: LunchAttributes.self) { context in
      VStack {
        Text(context.attributes.place)
        Text(context.state.status(of: context.activityID))
      }
    } dynamicIsland: { context in
      DynamicIsland {
        DynamicIslandExpandedRegion(.center) { Text(context.state.status(of: context.activityID)) }
      } compactLeading: {
        Text("Lunch")
      } compactTrailing: {
        Text(context.state.status(of: context.activityID))
      } minimal: {
        Text("Lunch")
      }
    }
  }
}
