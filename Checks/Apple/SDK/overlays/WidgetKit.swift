// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/widgetkit: NAME is at …/widgetkit/NAME, in lower case. Widget and what is made
// of it are at …/swiftui/NAME, but for the Dynamic Island.
public import ActivityKit
@_exported public import SwiftUI

@MainActor @preconcurrency public protocol WidgetConfiguration {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency var body: Body { get }
}

extension Never: WidgetConfiguration {}

@MainActor @preconcurrency public protocol Widget {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency init()
  @MainActor @preconcurrency var body: Body { get }
}

@resultBuilder public struct WidgetBundleBuilder {
  public static func buildBlock<Content: Widget>(_ content: Content) -> some Widget { content }
}

@MainActor @preconcurrency public protocol WidgetBundle {
  associatedtype Body: Widget
  @MainActor @preconcurrency init()
  @WidgetBundleBuilder @MainActor @preconcurrency var body: Body { get }
}

extension WidgetBundle {
  public static func main() {}
}

public struct ActivityViewContext<Attributes: ActivityAttributes> {
  public var attributes: Attributes { fatalError() }
  public var state: Attributes.ContentState { fatalError() }
  public var activityID: String { fatalError() }
}

public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
  public init<Content: View>(
    for attributesType: Attributes.Type,
    @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> Content,
    dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
  ) {}
  public var body: Never { fatalError() }
}

public struct DynamicIslandExpandedRegionPosition: Sendable {
  public static var center: DynamicIslandExpandedRegionPosition { DynamicIslandExpandedRegionPosition() }
}

public struct DynamicIslandExpandedRegion<Content: View> {
  public init(
    _ position: DynamicIslandExpandedRegionPosition, priority: Double = 0, @ViewBuilder content: () -> Content
  ) {}
}

public struct DynamicIslandExpandedContent<Content> {}

@resultBuilder public struct DynamicIslandExpandedContentBuilder {
  public static func buildBlock<Content: View>(
    _ content: DynamicIslandExpandedRegion<Content>
  ) -> DynamicIslandExpandedContent<some View> { DynamicIslandExpandedContent<EmptyView>() }
}

public struct DynamicIsland {
  public init<Expanded, CompactLeading: View, CompactTrailing: View, Minimal: View>(
    @DynamicIslandExpandedContentBuilder expanded: @escaping () -> DynamicIslandExpandedContent<Expanded>,
    @ViewBuilder compactLeading: @escaping () -> CompactLeading,
    @ViewBuilder compactTrailing: @escaping () -> CompactTrailing,
    @ViewBuilder minimal: @escaping () -> Minimal
  ) {}
}
