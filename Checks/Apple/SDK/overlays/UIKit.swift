// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation The declarations that Swift's own module UIKit adds.
@_exported import Foundation
@_exported import UIKit

extension UIApplication {
  // https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
  public typealias LaunchOptionsKey = UIApplicationLaunchOptionsKey
}
