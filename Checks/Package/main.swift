import PushSealer

let (device, sender) = (KeySet(generating: .device), KeySet(generating: .sender))
let sealer = Sealer(topic: try Topic("com.example.app"), signingKey: try sender.signingKey())
let push = try sealer.seal(RemoteNotification(body: "Lunch at noon?"), to: device.publicKeys.recipient())
print("sealed \(push.payload.count) bytes")
