// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/activitykit: NAME is at …/activitykit/NAME, in lower case.
public import Foundation

public protocol ActivityAttributes: Decodable, Encodable {
  associatedtype ContentState: Decodable, Encodable, Hashable
}

public struct ActivityContent<State: Decodable & Encodable & Hashable>: Sendable {
  public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {}
}

public struct PushType {
  public static var token: PushType { PushType() }
}

public class Activity<Attributes: ActivityAttributes> {
  public typealias ContentState = Attributes.ContentState

  // …/activitykit/activity/request(attributes:content:pushtype:)
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
  ) throws -> Activity<Attributes> { fatalError() }

  // …/activitykit/activity/pushtokenupdates-swift.struct
  public struct PushTokenUpdates: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async -> Data? { nil }
    }
    public func makeAsyncIterator() -> Iterator { Iterator() }
  }

  public var pushTokenUpdates: PushTokenUpdates { PushTokenUpdates() }
}
